import { CalendarDays, UserRoundPlus } from 'lucide-react';
import type { Metadata } from 'next';
import { AdSlot } from '@/components/ads/ad-slot';
import { FeedLinks } from '@/components/content/feed-links';
import { JsonLd } from '@/components/content/json-ld';
import { LastEntry } from '@/components/record/last-entry';
import { Badge } from '@/components/ui/badge';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { PageDays } from '@/components/formats/page-days';
import { ZoneName } from '@/components/formats/zone-name';
import { pageMetadata } from '@/lib/pages/page';
import { guest } from '@/lib/http/viewer';
import { homeFeeds } from '@/lib/pages/feeds';
import { siteData } from '@/lib/pages/structured-data';
import { homeWords } from '@/lib/pages/titles';
import { defaultView } from '@/lib/pages/default-view';
import { Markup } from '@/lib/pages/markup';
import { listFirstOfSports, listLiveMatches, listResults } from '@/lib/fixtures/queries';
import { listContent } from '@/lib/content/queries';
import { daysAfter, endOfDay } from '@/lib/fixtures/rules';
import { defaultFixtureDays } from '@/lib/fixtures/schema';
import { formatCount } from '@/lib/format';
import { now as present } from '@/lib/platform/clock';
import { listNewestEntries } from '@/lib/record/queries';
import { routes } from '@/lib/routes';
import { listMostPopular } from '@/lib/stats/queries';
import { listLatestTips, listTopTips } from '@/lib/tips/queries';
import { LatestArticles } from './_sections/content-sections';
import { LiveSection } from './_sections/live-section';
import { SportSections } from './_sections/sport-sections';
import { LatestTips, PopularTipsters, TopTips } from './_sections/tipster-sections';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

const latestResults = 6;
const latestTips = 6;
const latestArticles = 4;
const topTips = 6;
// Two stand in a row, and beside each row a tipster, so that neither column ends in a hole.
const topTipsARow = 2;
const comingSports = 4;
const comingOfASport = 2;
const popularTipsters = 4;

export const metadata: Metadata = pageMetadata({ ...homeWords, path: routes.home(), feeds: homeFeeds });

/** What stands where tipsters would, on a site that has none yet. */
function FirstTipster() {
  return (
    <EmptyState
      icon={<Icon of={UserRoundPlus} size="large" />}
      title="Be the first tipster here"
      action={<ButtonLink href={routes.newPortfolio()}>Create a portfolio</ButtonLink>}
    >
      Publish your tips before the start, at prices on offer: your record will be the first that bettors find here, and
      nobody can change it.
    </EmptyState>
  );
}

const countOf = ({ counts }: { counts: ReadonlyMap<number, number> }) =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

export default async function HomePage() {
  const now = present();
  const viewer = guest();
  const midnight = endOfDay(now, defaultView.timeZone);
  const [top, popular, latest, today, coming, results, record, articles, live] = await Promise.all([
    listTopTips(viewer, { until: daysAfter(now, 1), limit: topTips }, now),
    listMostPopular(viewer),
    listLatestTips(viewer, latestTips, now),
    listFirstOfSports(viewer, { from: now, until: midnight, perSport: comingOfASport }, now),
    listFirstOfSports(
      viewer,
      { from: midnight, until: daysAfter(midnight, defaultFixtureDays), perSport: comingOfASport },
      now,
    ),
    listResults(viewer, { before: { startsAt: now, id: 0 }, limit: latestResults }, now),
    listNewestEntries(1),
    listContent('articles', { skip: 0, limit: latestArticles }),
    listLiveMatches(viewer, {}, now),
  ]);
  const fullRows = Math.floor(top.length / topTipsARow);
  const [todayCount, weekCount] = [countOf(today), countOf(coming)];
  const week = (
    <section aria-labelledby="coming">
      <SectionHeading id="coming" aside={weekCount > 0 && formatCount(weekCount, 'fixture', 'fixtures')}>
        The next seven days
      </SectionHeading>
      {weekCount > 0 ? (
        <SportSections {...coming} caption="the next seven days" dated shownSports={comingSports} />
      ) : (
        <EmptyState
          icon={<Icon of={CalendarDays} size="large" />}
          title="No fixtures are announced for the next seven days"
        >
          New fixtures appear here as soon as they are announced.
        </EmptyState>
      )}
    </section>
  );
  return (
    <Markup>
      <header className={styles.lead}>
        <h1>Tips you can verify</h1>
        <p className={styles.promise}>
          {[...today.fixtures, ...coming.fixtures, ...results.items].some(({ demo }) => demo) && (
            <Badge tone="notice">Demo data</Badge>
          )}{' '}
          Every tip is taken at a price on offer, before the start, and nobody can change it afterwards.{' '}
          <SiteLink href={routes.tipsters()}>Compare the tipsters</SiteLink>, or{' '}
          <SiteLink href={routes.ledger()}>check the record yourself</SiteLink>. All times are{' '}
          <ZoneName name={defaultView.timeZoneName} />.
        </p>
        <LastEntry entry={record.items[0] ?? null} timeZone={defaultView.timeZone} />
      </header>
      <LiveSection matches={live} now={now} />
      {top.length > 0 ? (
        <div className={styles.spread}>
          <TopTips tips={top.slice(0, Math.max(1, fullRows * topTipsARow))} title="Today’s top tips" />
          <PopularTipsters portfolios={popular.slice(0, Math.max(1, fullRows))} look="list" />
        </div>
      ) : popular.length > 0 ? (
        <PopularTipsters portfolios={popular.slice(0, popularTipsters)} />
      ) : (
        latest.length === 0 && <FirstTipster />
      )}
      {todayCount > 0 ? (
        <section aria-labelledby="today">
          <SectionHeading id="today" aside={formatCount(todayCount, 'fixture', 'fixtures')}>
            Upcoming today
            <PageDays />
          </SectionHeading>
          <SportSections {...today} caption="today" dated={false} shownSports={comingSports} />
        </section>
      ) : (
        week
      )}
      <LatestTips tips={latest} />
      <AdSlot name="home" />
      {todayCount > 0 && week}
      <LatestArticles articles={articles.items} />
      {results.items.length > 0 && (
        <section aria-labelledby="results">
          <SectionHeading id="results">Latest results</SectionHeading>
          <SportSections fixtures={results.items} caption="latest results" dated />
        </section>
      )}
      <FeedLinks feeds={homeFeeds} />
      <JsonLd data={siteData(homeWords.description)} />
    </Markup>
  );
}
