import { TipsTable } from '@/components/fixtures/tips-table';
import { SectionHeading } from '@/components/ui/section-heading';
import { Term } from '@/components/ui/term';
import { defaultView } from '@/lib/pages/default-view';
import type { FixtureTip } from '@/lib/tips/schema';

/** So many are read for it. */
export const openTips = 6;

/** The tips on these coming fixtures that everybody may read, those of the best past years first; nothing where there are none. */
export function OpenTipsSection({ tips, title }: { tips: readonly FixtureTip[]; title: string }) {
  if (tips.length === 0) return null;
  return (
    <section aria-labelledby="tips">
      <SectionHeading
        id="tips"
        aside={
          <>
            Ranked by <Term of="yield">yield</Term>, past 12 months
          </>
        }
      >
        {title}
      </SectionHeading>
      <TipsTable caption={title} tips={tips} display={defaultView.oddsDisplay} />
    </section>
  );
}
