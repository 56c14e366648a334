import type { Metadata } from 'next';
import { AdSlot } from '@/components/ads/ad-slot';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { LinkTabs } from '@/components/ui/link-tabs';
import { listFixtures, listLiveMatches, listResults, listTopLeagues } from '@/lib/fixtures/queries';
import { daysAfter, readCursor, sportWords } from '@/lib/fixtures/rules';
import { defaultFixtureDays } from '@/lib/fixtures/schema';
import { guest } from '@/lib/http/viewer';
import { pageMetadata, single } from '@/lib/pages/page';
import { skipFrom } from '@/lib/pages/portfolio-page';
import { now as present } from '@/lib/platform/clock';
import { FeedLinks } from '@/components/content/feed-links';
import { JsonLd } from '@/components/content/json-ld';
import { sportFeeds } from '@/lib/pages/feeds';
import { pageImage } from '@/lib/pages/share-cards';
import { fixtureListData, trailData } from '@/lib/pages/structured-data';
import { sportPageWords } from '@/lib/pages/titles';
import { Markup } from '@/lib/pages/markup';
import { routes } from '@/lib/routes';
import { listRecommended } from '@/lib/stats/queries';
import { ComparisonOrder, minTipsToJudge } from '@/lib/stats/schema';
import { listTopTips } from '@/lib/tips/queries';
import { LiveSection } from '../_sections/live-section';
import { Tipsters, TopTips } from '../_sections/tipster-sections';
import { ComingSection, comingAPage, daysFrom, fillsScreen } from './_sections/coming-section';
import { enabledSport } from './_sections/enabled-sport';
import { ResultsSection, resultsAPage } from './_sections/results-section';
import { SportLead } from './_sections/sport-lead';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

type SportPageProps = {
  params: Promise<{ sport: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

// Ours (0050): a page of a sport holds what can be made in 50 milliseconds.
const topTips = 4;
const tipsters = 5;

/** The comparison of the records that are recommended for a sport. */
const yearOf = (sportId: number) => routes.tipsters({ sportId, tips: minTipsToJudge, order: ComparisonOrder.yield });

export async function generateMetadata({ params }: SportPageProps): Promise<Metadata> {
  const sport = enabledSport((await params).sport);
  return pageMetadata({
    ...sportPageWords(sport),
    path: routes.sport(sport.reference),
    image: await pageImage('sport', sport.reference, present()),
    feeds: sportFeeds({ sportReference: sport.reference, sportName: sport.name }),
  });
}

export default async function SportPage({ params, searchParams }: SportPageProps) {
  const sport = enabledSport((await params).sport);
  const given = await searchParams;
  const now = present();
  const viewer = guest();
  const before = readCursor(single(given.before)) ?? { startsAt: now, id: 0 };
  const days = daysFrom(single(given.days));
  const skip = skipFrom(given.skip);
  const [leagues, top, recommended, coming, results, live] = await Promise.all([
    listTopLeagues(viewer, { sportId: sport.id }, now),
    listTopTips(viewer, { until: daysAfter(now, defaultFixtureDays), limit: topTips, sportId: sport.id }, now),
    listRecommended(viewer, { sportId: sport.id }),
    listFixtures(
      viewer,
      { sportId: sport.id, from: now, until: daysAfter(now, days), skip, limit: comingAPage + 1 },
      now,
    ),
    listResults(viewer, { sportId: sport.id, before, limit: resultsAPage }, now),
    listLiveMatches(viewer, { sportId: sport.id }, now),
  ]);
  const { events } = sportWords(sport.reference);
  return (
    <Markup>
      <Breadcrumb trail={[{ href: routes.home(), title: 'Home' }]} here={sport.name} />
      <SportLead sport={sport} title={sport.name} demo={[...coming, ...results.items].some(({ demo }) => demo)}>
        {sport.description}
      </SportLead>
      {leagues.length > 1 && (
        <LinkTabs
          label="Leagues"
          activeHref={routes.sport(sport.reference)}
          tabs={[
            { href: routes.sport(sport.reference), title: 'All leagues' },
            ...leagues.map(({ reference, name, territory }) => ({
              href: routes.league(sport.reference, reference),
              title:
                leagues.filter((other) => other.name === name).length > 1 && territory
                  ? `${name} (${territory})`
                  : name,
            })),
          ]}
        />
      )}
      <div className={recommended.length > 0 ? styles.spread : undefined}>
        <ComingSection
          fixtures={coming}
          sportReference={sport.reference}
          days={days}
          skip={skip}
          hrefOf={(choice) => routes.sport(sport.reference, choice)}
          otherwise={
            results.items.length > 0
              ? 'The latest results are below.'
              : `${sport.name} ${events} appear here as soon as they are announced.`
          }
        />
        <Tipsters
          portfolios={recommended.slice(0, tipsters)}
          title={`Best ${sport.name} tipsters, past 12 months`}
          compareHref={yearOf(sport.id)}
          look="list"
          whenNear
        />
      </div>
      <TopTips tips={top} title="Top tips" whenNear />
      <LiveSection sportId={sport.id} matches={live} now={now} />
      <AdSlot name="sport" />
      <ResultsSection
        results={results}
        sportReference={sport.reference}
        isEarlier={given.before !== undefined}
        whenNear={given.before === undefined && fillsScreen(coming)}
        hrefOf={(choice) => routes.sport(sport.reference, choice)}
      />
      <FeedLinks feeds={sportFeeds({ sportReference: sport.reference, sportName: sport.name })} />
      <JsonLd
        data={[
          trailData([
            { href: routes.home(), title: 'Home' },
            { href: routes.sport(sport.reference), title: sport.name },
          ]),
          ...fixtureListData(`${sport.name}: upcoming fixtures`, coming.slice(0, comingAPage)),
        ]}
      />
    </Markup>
  );
}
