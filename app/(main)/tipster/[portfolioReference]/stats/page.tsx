import type { Metadata } from 'next';
import { AdSlot } from '@/components/ads/ad-slot';
import { PeriodTabs } from '@/components/portfolios/period-tabs';
import { PortfolioHead } from '@/components/portfolios/portfolio-head';
import { BreakdownTable } from '@/components/stats/breakdown-table';
import { FollowerTable } from '@/components/stats/follower-table';
import { Judgement } from '@/components/stats/judgement';
import { MonthTable } from '@/components/stats/month-table';
import { ProfitChart } from '@/components/stats/profit-chart';
import { SummaryStats } from '@/components/stats/summary-stats';
import { SectionHeading } from '@/components/ui/section-heading';
import { periodFrom, portfolioPageMetadata, readPortfolioPage } from '@/lib/pages/portfolio-page';
import { defaultView } from '@/lib/pages/default-view';
import { Markup } from '@/lib/pages/markup';
import { now as present } from '@/lib/platform/clock';
import { timeRangeNames } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { getBreakdown, getMonthOverview, getProfitCurve, getStatistics } from '@/lib/stats/queries';
import { type BreakdownKind, breakdownKinds } from '@/lib/stats/schema';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

type StatsPageProps = {
  params: Promise<{ portfolioReference: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

const titles: Record<BreakdownKind, string> = {
  bookmaker: 'Bookmaker',
  'bet-type': 'Bet type',
  hour: 'Hour of the start',
  month: 'Month',
  'odds-total': 'Odds',
  sport: 'Sport',
  league: 'League',
  'time-before': 'Time before the start',
  stake: 'Stake',
};

// Hours are those of the record's zone, whatever zone the reader has chosen.
const hourHead = `${titles.hour} (UK time)`;

export async function generateMetadata({ params }: StatsPageProps): Promise<Metadata> {
  const { portfolio } = await readPortfolioPage((await params).portfolioReference);
  return portfolioPageMetadata(portfolio, 'stats');
}

export default async function StatsPage({ params, searchParams }: StatsPageProps) {
  const { viewer, portfolio } = await readPortfolioPage((await params).portfolioReference);
  const range = periodFrom((await searchParams).period);
  const now = present();
  const { reference } = portfolio;
  const [statistics, curve, overview, ...breakdowns] = await Promise.all([
    getStatistics(viewer, reference, { range }, now),
    getProfitCurve(viewer, reference, 'level'),
    getMonthOverview(viewer, reference, now),
    ...breakdownKinds.map((kind) => getBreakdown(viewer, reference, { kind, range }, now)),
  ] as const);
  const here = routes.portfolioPage(reference, 'stats');
  return (
    <Markup>
      <PortfolioHead portfolio={portfolio} activeHref={here} timeZone={defaultView.timeZone} />
      <section aria-labelledby="months">
        <SectionHeading id="months">Months</SectionHeading>
        {overview.years.length > 0 ? <MonthTable overview={overview} /> : <p>No tips have been settled yet.</p>}
        <h3 className={styles.title}>Profit at level stakes, all time</h3>
        <ProfitChart points={curve} timeZone={defaultView.timeZone} />
      </section>
      <section aria-labelledby="figures">
        <SectionHeading
          id="figures"
          aside={
            <PeriodTabs period={range} hrefOf={(period) => routes.portfolioPage(reference, 'stats', { period })} />
          }
        >
          Figures, {timeRangeNames[range].toLowerCase()}
        </SectionHeading>
        <SummaryStats statistics={statistics} />
        <Judgement statistics={statistics} />
        <h3 className={styles.title}>Profit at followers’ prices</h3>
        <FollowerTable followers={statistics.followers} />
        <div className={styles.breakdowns}>
          {breakdowns
            .toSorted((a, b) => Number(a.kind === 'month') - Number(b.kind === 'month'))
            .filter(({ rows }) => rows.some(({ tips, voids }) => tips + voids > 0))
            .map((breakdown) => (
              <BreakdownTable
                key={breakdown.kind}
                title={titles[breakdown.kind]}
                head={breakdown.kind === 'hour' ? hourHead : undefined}
                breakdown={breakdown}
              />
            ))}
        </div>
      </section>
      <AdSlot name="tipster" />
    </Markup>
  );
}
