import { TipsTable } from '@/components/fixtures/tips-table';
import { SectionHeading } from '@/components/ui/section-heading';
import type { FixtureRow } from '@/lib/fixtures/schema';
import { guest } from '@/lib/http/viewer';
import { defaultView } from '@/lib/pages/default-view';
import { listOpenTipsOn } from '@/lib/tips/queries';

const mostTips = 6;

/** The tips on these coming fixtures that everybody may read, those of the best past years first; nothing where there are none. */
export async function OpenTipsSection({
  fixtures,
  title,
  now,
}: {
  fixtures: readonly FixtureRow[];
  title: string;
  now: Date;
}) {
  const tips = await listOpenTipsOn(guest(), fixtures, mostTips, now);
  if (tips.length === 0) return null;
  return (
    <section aria-labelledby="tips">
      <SectionHeading id="tips" aside="Ranked by yield, past 12 months">
        {title}
      </SectionHeading>
      <TipsTable caption={title} tips={tips} display={defaultView.oddsDisplay} />
    </section>
  );
}
