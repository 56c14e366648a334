import type { Metadata } from 'next';
import { cache } from 'react';
import { AdSlot } from '@/components/ads/ad-slot';
import { FeedLinks } from '@/components/content/feed-links';
import { JsonLd } from '@/components/content/json-ld';
import { LeagueTable } from '@/components/fixtures/league-table';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { SectionHeading } from '@/components/ui/section-heading';
import { findLeagueTable, findSeasonOf, getLeague, listFixtures, listResults } from '@/lib/fixtures/queries';
import { daysAfter, readCursor, sportWords, territoryBeside } from '@/lib/fixtures/rules';
import { guest } from '@/lib/http/viewer';
import { sportFeeds } from '@/lib/pages/feeds';
import { fixtureListData, trailData } from '@/lib/pages/structured-data';
import { leagueWords } from '@/lib/pages/competition-titles';
import { orNotFound, pageMetadata, single } from '@/lib/pages/page';
import { pageImage } from '@/lib/pages/share-cards';
import { skipFrom } from '@/lib/pages/portfolio-page';
import { listOpenTipsOn } from '@/lib/tips/queries';
import { Markup } from '@/lib/pages/markup';
import { now as present } from '@/lib/platform/clock';
import { routes } from '@/lib/routes';
import { ComingSection, comingAPage, daysFrom, fillsScreen } from '../../_sections/coming-section';
import { enabledSport } from '../../_sections/enabled-sport';
import { openTips, OpenTipsSection } from '../../_sections/open-tips-section';
import { ResultsSection, resultsAPage } from '../../_sections/results-section';
import { SportLead } from '../../_sections/sport-lead';

export const dynamic = 'force-dynamic';

type LeaguePageProps = {
  params: Promise<{ sport: string; league: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

const read = cache((sport: string, league: string) => orNotFound(getLeague(guest(), sport, league)));

export async function generateMetadata({ params }: LeaguePageProps): Promise<Metadata> {
  const { sport: sportReference, league: reference } = await params;
  const sport = enabledSport(sportReference);
  const league = await read(sportReference, reference);
  return pageMetadata({
    ...leagueWords(sport, league),
    path: routes.league(sport.reference, league.reference),
    image: await pageImage('league', league.reference, present()),
    feeds: sportFeeds({ sportReference: sport.reference, sportName: sport.name }, league),
  });
}

export default async function LeaguePage({ params, searchParams }: LeaguePageProps) {
  const { sport: sportReference, league: reference } = await params;
  const sport = enabledSport(sportReference);
  const league = await read(sportReference, reference);
  const given = await searchParams;
  const now = present();
  const viewer = guest();
  const before = readCursor(single(given.before)) ?? { startsAt: now, id: 0 };
  const days = daysFrom(single(given.days));
  const skip = skipFrom(given.skip);
  const [coming, results, season] = await Promise.all([
    listFixtures(
      viewer,
      {
        sportId: sport.id,
        leagueReference: reference,
        from: now,
        until: daysAfter(now, days),
        skip,
        limit: comingAPage + 1,
      },
      now,
    ),
    listResults(viewer, { sportId: sport.id, leagueReference: reference, before, limit: resultsAPage }, now),
    findSeasonOf(viewer, league),
  ]);
  const [table, tips] = await Promise.all([
    season === null ? null : findLeagueTable(viewer, { league, sportReference, season }),
    listOpenTipsOn(viewer, coming.slice(0, comingAPage), openTips, now),
  ]);
  const { events } = sportWords(sportReference);
  const hrefOf = (choice: Parameters<typeof routes.league>[2]) => routes.league(sportReference, reference, choice);
  const trail = [
    { href: routes.home(), title: 'Home' },
    { href: routes.sport(sportReference), title: sport.name },
  ];
  return (
    <Markup>
      <Breadcrumb trail={trail} here={league.name} />
      <SportLead sport={sport} title={league.name} demo={league.demo}>
        {[territoryBeside(league), sport.name].filter(Boolean).join(' · ')}
      </SportLead>
      <ComingSection
        fixtures={coming}
        sportReference={sportReference}
        days={days}
        skip={skip}
        isOneLeague
        hrefOf={hrefOf}
        otherwise={
          results.items.length > 0
            ? 'The latest results are below.'
            : `${league.name} ${events} appear here as soon as they are announced.`
        }
      />
      <OpenTipsSection tips={tips} title={`${league.name} tips`} />
      {table && (
        <section aria-labelledby="table">
          <SectionHeading id="table">Table</SectionHeading>
          <LeagueTable leagueName={league.name} sportReference={sportReference} table={table} />
        </section>
      )}
      <AdSlot name="league" />
      <ResultsSection
        results={results}
        sportReference={sportReference}
        isEarlier={given.before !== undefined}
        whenNear={given.before === undefined && fillsScreen(coming)}
        count={league.results}
        isOneLeague
        hrefOf={hrefOf}
      />
      <FeedLinks feeds={sportFeeds({ sportReference, sportName: sport.name }, league)} />
      <JsonLd
        data={[
          trailData([...trail, { href: routes.league(sportReference, reference), title: league.name }]),
          ...fixtureListData(`${league.name}: upcoming fixtures`, coming.slice(0, comingAPage)),
        ]}
      />
    </Markup>
  );
}
