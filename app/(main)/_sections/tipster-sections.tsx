import { TipsterCard } from '@/components/portfolios/tipster-card';
import { TipList } from '@/components/tips/tip-list';
import { TopTipCard } from '@/components/tips/top-tip-card';
import { CardRow } from '@/components/ui/card-row';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { Term } from '@/components/ui/term';
import { defaultView } from '@/lib/pages/default-view';
import { routes } from '@/lib/routes';
import type { ComparedPortfolio } from '@/lib/stats/schema';
import type { TipView, TopTip } from '@/lib/tips/schema';

const { timeZone, oddsDisplay } = defaultView;

type TopTipsProps = { tips: readonly TopTip[]; title: string; whenNear?: boolean };

/** Open tips of those with the best past 12 months, under the title given; nothing when there are none. */
export function TopTips({ tips, title, whenNear }: TopTipsProps) {
  if (tips.length === 0) return null;
  return (
    <section aria-labelledby="top-tips">
      <SectionHeading
        id="top-tips"
        aside={
          <>
            Ranked by <Term of="yield">yield</Term>, past 12 months
          </>
        }
      >
        {title}
      </SectionHeading>
      <CardRow label={title} whenNear={whenNear}>
        {tips.map((top) => (
          <li key={top.tip.reference}>
            <TopTipCard top={top} timeZone={timeZone} oddsDisplay={oddsDisplay} />
          </li>
        ))}
      </CardRow>
    </section>
  );
}

type TipstersProps = {
  portfolios: readonly ComparedPortfolio[];
  title: string;
  compareHref?: string;
  look?: 'grid' | 'list';
  whenNear?: boolean;
};

/** Tipsters in a few figures, with the way to the comparison; nothing when there are none. */
export function Tipsters({
  portfolios,
  title,
  compareHref = routes.tipsters(),
  look = 'grid',
  whenNear,
}: TipstersProps) {
  if (portfolios.length === 0) return null;
  return (
    <section aria-labelledby="tipsters">
      <SectionHeading id="tipsters" aside={<SiteLink href={compareHref}>Compare all</SiteLink>}>
        {title}
      </SectionHeading>
      <CardRow label={title} look={look} whenNear={whenNear}>
        {portfolios.map((portfolio) => (
          <li key={portfolio.reference}>
            <TipsterCard portfolio={portfolio} />
          </li>
        ))}
      </CardRow>
    </section>
  );
}

/** The tipsters whom most people follow. */
export function PopularTipsters(props: Pick<TipstersProps, 'portfolios' | 'look'>) {
  return <Tipsters title="Popular tipsters" {...props} />;
}

/** The newest tips, with their tipsters; nothing when there are none. */
export function LatestTips({ tips }: { tips: readonly TipView[] }) {
  if (tips.length === 0) return null;
  return (
    <section aria-labelledby="latest">
      <SectionHeading id="latest" aside={<SiteLink href={routes.ledger()}>The record</SiteLink>}>
        Latest tips
      </SectionHeading>
      <TipList tips={tips} timeZone={timeZone} oddsDisplay={oddsDisplay} byline />
    </section>
  );
}
