import type { Metadata } from 'next';
import { AdSlot } from '@/components/ads/ad-slot';
import { FeedLinks } from '@/components/content/feed-links';
import { JsonLd } from '@/components/content/json-ld';
import { JoinPlans } from '@/components/memberships/join-plans';
import { Island } from '@/components/islands/island';
import { PeriodTabs } from '@/components/portfolios/period-tabs';
import { RecordBadge } from '@/components/portfolios/record-badge';
import { PortfolioHead } from '@/components/portfolios/portfolio-head';
import { WhyTrust } from '@/components/record/why-trust';
import { Balance } from '@/components/stats/balance';
import { FormLetters } from '@/components/stats/form-letters';
import { Judgement } from '@/components/stats/judgement';
import { ProfitChart } from '@/components/stats/profit-chart';
import { SummaryStats } from '@/components/stats/summary-stats';
import { TipList } from '@/components/tips/tip-list';
import { EmptyState } from '@/components/ui/empty-state';
import { Html } from '@/components/ui/html';
import { Icon } from '@/components/ui/icon';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { renderMarkdown } from '@/lib/content/rules';
import { getSale } from '@/lib/memberships/queries';
import {
  periodFrom,
  portfolioImage,
  portfolioPageMetadata,
  portfolioPageWords,
  readPortfolioPage,
} from '@/lib/pages/portfolio-page';
import { defaultView } from '@/lib/pages/default-view';
import { now as present } from '@/lib/platform/clock';
import { PortfolioVisibility, TimeRange, timeRangeNames } from '@/lib/reference/schema';
import { badgeSize, badgeSnippets } from '@/lib/pages/badge';
import { portfolioFeeds } from '@/lib/pages/feeds';
import { tipsterData, trailData } from '@/lib/pages/structured-data';
import { Markup } from '@/lib/pages/markup';
import { routes } from '@/lib/routes';
import { findSpeciality, getProfitCurve, getRecentForm, getStatistics } from '@/lib/stats/queries';
import { curveSince } from '@/lib/stats/rules';
import { listTips } from '@/lib/tips/queries';
import { ScrollText } from 'lucide-react';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

type ProfilePageProps = {
  params: Promise<{ portfolioReference: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

const latest = 8;

export async function generateMetadata({ params }: ProfilePageProps): Promise<Metadata> {
  const { portfolio } = await readPortfolioPage((await params).portfolioReference);
  return portfolioPageMetadata(portfolio, 'profile');
}

export default async function ProfilePage({ params, searchParams }: ProfilePageProps) {
  const { viewer, portfolio } = await readPortfolioPage((await params).portfolioReference);
  const range = periodFrom((await searchParams).period);
  const now = present();
  const { reference } = portfolio;
  const [statistics, wholeCurve, form, tips, speciality] = await Promise.all([
    getStatistics(viewer, reference, { range }, now),
    getProfitCurve(viewer, reference, 'advised'),
    getRecentForm(viewer, reference),
    listTips(viewer, reference, { state: 'all', skip: 0, limit: latest }, now),
    findSpeciality(viewer, reference),
  ]);
  const image = await portfolioImage(portfolio, now);
  const curve =
    range === TimeRange.allTime || !statistics.window
      ? wholeCurve
      : curveSince(wholeCurve, statistics.window.from, {
          tips: statistics.tips,
          profitHundredths: statistics.advised.profitHundredths,
        });
  const isPersonal = portfolio.type === PortfolioVisibility.personal;
  const isOnRecord = tips.items.some(({ ledgerSequence }) => ledgerSequence !== null);
  const canCompare = portfolio.type === PortfolioVisibility.public || portfolio.type === PortfolioVisibility.premium;
  const { timeZone, oddsDisplay } = defaultView;
  const list = <TipList tips={tips.items} timeZone={timeZone} oddsDisplay={oddsDisplay} />;
  return (
    <Markup>
      <PortfolioHead
        portfolio={portfolio}
        activeHref={routes.portfolio(reference)}
        timeZone={timeZone}
        speciality={speciality}
      />
      {portfolio.description && <Html html={renderMarkdown(portfolio.description)} />}
      {portfolio.type === PortfolioVisibility.premium && (
        <JoinPlans sale={await getSale(viewer, reference)} name={portfolio.name} />
      )}
      {portfolio.tipledgerPro && portfolio.sells && (
        <Island name="pro place" props={{ portfolio: reference, name: portfolio.name }}>
          <p>
            It takes part in <SiteLink href={routes.pro()}>Tipledger Pro</SiteLink>.
          </p>
        </Island>
      )}
      <section aria-labelledby="record">
        <SectionHeading
          id="record"
          aside={<PeriodTabs period={range} hrefOf={(period) => routes.portfolio(reference, { period })} />}
        >
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
            {canCompare && (
              <p>
                <SiteLink href={routes.compareTipsters([reference])}>Compare with other tipsters</SiteLink>
              </p>
            )}
          </>
        ) : (
          <>
            <EmptyState
              icon={<Icon of={ScrollText} size="large" />}
              title={tips.items.length > 0 ? 'No tips were settled in this period' : 'No tips have been published yet'}
            >
              {tips.items.length === 0
                ? 'Its record begins with the first one.'
                : range === TimeRange.allTime
                  ? 'Its tips are below; its record begins when the first is settled.'
                  : 'Its tips are below; choose a longer period to see its record.'}
            </EmptyState>
            <ProfitChart points={curve} timeZone={timeZone} />
            {form.letters && <FormLetters letters={form.letters} />}
          </>
        )}
      </section>
      <AdSlot name="tipster" />
      {tips.items.length > 0 && (
        <section aria-labelledby="tips">
          <SectionHeading
            id="tips"
            aside={<SiteLink href={routes.portfolioPage(reference, 'tips')}>All tips</SiteLink>}
          >
            Latest tips
          </SectionHeading>
          {tips.items.some(({ lock }) => lock !== null) ? (
            <Island name="own tips" props={{ portfolio: reference, skip: 0, most: latest }}>
              {list}
            </Island>
          ) : (
            list
          )}
        </section>
      )}
      <section aria-labelledby="why">
        <SectionHeading id="why">{isPersonal ? 'How it is kept' : 'Why trust this record?'}</SectionHeading>
        <WhyTrust reference={reference} isPersonal={isPersonal} isOnRecord={isOnRecord} />
      </section>
      {!isPersonal && (
        <>
          <FeedLinks feeds={portfolioFeeds(portfolio)} />
          <RecordBadge
            name={portfolio.name}
            picture={routes.badgePicture(reference)}
            size={badgeSize}
            snippets={badgeSnippets(portfolio)}
          />
          <JsonLd
            data={[
              trailData([
                { href: routes.home(), title: 'Home' },
                { href: routes.tipsters(), title: 'Tipsters' },
                { href: routes.portfolio(reference), title: portfolio.name },
              ]),
              tipsterData(portfolio, {
                description: portfolioPageWords(portfolio, 'profile').description,
                image: image.address,
              }),
            ]}
          />
        </>
      )}
    </Markup>
  );
}
