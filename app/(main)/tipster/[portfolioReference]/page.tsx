import type { Metadata } from 'next';
import { AdSlot } from '@/components/ads/ad-slot';
import { PeriodTabs } from '@/components/portfolios/period-tabs';
import { PortfolioHead } from '@/components/portfolios/portfolio-head';
import { Balance } from '@/components/stats/balance';
import { FormLetters } from '@/components/stats/form-letters';
import { Judgement } from '@/components/stats/judgement';
import { ProfitChart } from '@/components/stats/profit-chart';
import { SummaryStats } from '@/components/stats/summary-stats';
import { TipList } from '@/components/tips/tip-list';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { periodFrom, portfolioMetadata, readPortfolio } from '@/lib/entry/portfolio-page';
import { guest } from '@/lib/entry/viewer';
import { viewing } from '@/lib/entry/viewing';
import { now as present } from '@/lib/platform/clock';
import { timeRangeNames } from '@/lib/reference/schema/enumerations';
import { routes } from '@/lib/routes';
import { getProfitCurve, getRecentForm, getStatistics } from '@/lib/stats/queries';
import { listTips } from '@/lib/tips/queries';
import { ScrollText } from 'lucide-react';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

type ProfilePageProps = { params: Promise<{ portfolioReference: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> };

const latest = 8;

export async function generateMetadata({ params }: ProfilePageProps): Promise<Metadata> {
  const portfolio = await readPortfolio((await params).portfolioReference);
  return portfolioMetadata(portfolio, {
    title: `${portfolio.name}: record and tips`,
    description: `The proved record of ${portfolio.name}: profit, yield, strike rate and every tip with the price taken before the start.`,
    path: routes.portfolio(portfolio.reference),
  });
}

export default async function ProfilePage({ params, searchParams }: ProfilePageProps) {
  const portfolio = await readPortfolio((await params).portfolioReference);
  const range = periodFrom((await searchParams).period);
  const now = present();
  const viewer = guest();
  const { reference } = portfolio;
  const [statistics, curve, form, tips] = await Promise.all([
    getStatistics(viewer, reference, { range }, now),
    getProfitCurve(viewer, reference, 'advised'),
    getRecentForm(viewer, reference),
    listTips(viewer, reference, { state: 'all', skip: 0, limit: latest }, now),
  ]);
  const { timeZone, oddsDisplay } = viewing;
  return (
    <>
      <PortfolioHead portfolio={portfolio} activeHref={routes.portfolio(reference)} timeZone={timeZone} />
      {portfolio.description && <p className={styles.description}>{portfolio.description}</p>}
      <section aria-labelledby="record">
        <SectionHeading id="record" aside={<PeriodTabs period={range} hrefOf={(period) => routes.portfolio(reference, { period })} />}>
          The record, {timeRangeNames[range].toLowerCase()}
        </SectionHeading>
        {statistics.tips > 0 || statistics.voids > 0 ? (
          <>
            <div className={styles.record}>
              <div>
                <Balance statistics={statistics} timeZone={timeZone} />
                <Judgement statistics={statistics} />
              </div>
              <ProfitChart points={curve} timeZone={timeZone} />
            </div>
            {form.letters && <FormLetters letters={form.letters} />}
            <SummaryStats statistics={statistics} besideBalance />
          </>
        ) : (
          <>
            <EmptyState icon={<Icon of={ScrollText} size="large" />} title="No tip was settled in this time">
              {tips.items.length > 0 ? 'Its tips are below; choose a longer time for its record.' : 'This portfolio has not published a tip yet.'}
            </EmptyState>
            <ProfitChart points={curve} timeZone={timeZone} />
            {form.letters && <FormLetters letters={form.letters} />}
          </>
        )}
      </section>
      <AdSlot name="tipster" />
      <div className={styles.spread}>
        <section aria-labelledby="why">
          <SectionHeading id="why">Why believe it</SectionHeading>
          <p className={styles.why}>
            Each tip was recorded before its first start, at a price that a bookmaker offered at that moment, and chained to every entry before it. Nobody can change or
            delete one, and anyone can check: <SiteLink href={routes.ledger()}>verify the record in your browser</SiteLink>, or take this portfolio’s entries as{' '}
            <a href={routes.portfolioLedger(reference, { format: 'csv' })}>CSV</a> or <a href={routes.portfolioLedger(reference, { format: 'json' })}>JSON</a>.
          </p>
        </section>
        {tips.items.length > 0 && (
          <section aria-labelledby="tips">
            <SectionHeading id="tips" aside={<SiteLink href={routes.portfolioPage(reference, 'tips')}>All tips</SiteLink>}>
              Latest tips
            </SectionHeading>
            <TipList tips={tips.items} timeZone={timeZone} oddsDisplay={oddsDisplay} />
          </section>
        )}
      </div>
    </>
  );
}
