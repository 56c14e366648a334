import { TipsterCard } from '@/components/portfolios/tipster-card';
import { TipList } from '@/components/tips/tip-list';
import { TopTipCard } from '@/components/tips/top-tip-card';
import { CardRow } from '@/components/ui/card-row';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { viewing } from '@/lib/entry/viewing';
import { routes } from '@/lib/routes';
import type { ComparedPortfolio } from '@/lib/stats/schema/compared';
import type { TipView, TopTip } from '@/lib/tips/schema';

const { timeZone, oddsDisplay } = viewing;

/** Today's tips of those with the best year; nothing when there are none. */
export function TopTips({ tips }: { tips: readonly TopTip[] }) {
  if (tips.length === 0) return null;
  return (
    <section aria-labelledby="top-tips">
      <SectionHeading id="top-tips" aside="by the year’s best yields">
        Today’s top tips
      </SectionHeading>
      <CardRow label="Today’s top tips">
        {tips.map((top) => (
          <li key={top.tip.reference}>
            <TopTipCard top={top} timeZone={timeZone} oddsDisplay={oddsDisplay} />
          </li>
        ))}
      </CardRow>
    </section>
  );
}

/** The tipsters whom most people follow; nothing when there are none. */
export function PopularTipsters({ portfolios, look = 'grid' }: { portfolios: readonly ComparedPortfolio[]; look?: 'grid' | 'list' }) {
  if (portfolios.length === 0) return null;
  return (
    <section aria-labelledby="popular">
      <SectionHeading id="popular" aside={<SiteLink href={routes.tipsters()}>Compare all</SiteLink>}>
        Popular tipsters
      </SectionHeading>
      <CardRow label="Popular tipsters" look={look}>
        {portfolios.map((portfolio) => (
          <li key={portfolio.reference}>
            <TipsterCard portfolio={portfolio} />
          </li>
        ))}
      </CardRow>
    </section>
  );
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
