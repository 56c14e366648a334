import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { guest } from '@/lib/http/viewer';
import { footballData } from '@/lib/feeds/football-data';
import { openfootball } from '@/lib/feeds/openfootball';
import { closeMarkets, importFixtures, type ImportSummary } from '@/lib/fixtures/commands';
import { getFixture } from '@/lib/fixtures/queries/fixtures';
import { getMarkets, listPriceHistories, listResults, listTopLeagues } from '@/lib/fixtures/queries';
import type { FileFeed, MarketsView } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import { onTestDatabase } from '../support/database';
import { everything } from '../support/import';

onTestDatabase();

// Too large for the project: the tests are skipped where the files are not.
const file = (name: string) => path.resolve(process.cwd(), '../shared/data', name);
const season = file('E0_2526.csv');
const open = file('openfootball_en.1_2025-26.json');
const describeIfPresent = [season, open].every((name) => existsSync(name)) ? describe : describe.skip;

const now = new Date('2026-11-20T12:00:00.000Z');
const reference = 'liverpool-v-bournemouth-2025-08-15';
const batchSize = 20;

/** Imports a file as the import command does, in batches. */
async function importFile(feed: FileFeed, name: string): Promise<ImportSummary> {
  const fixtures = [...feed.read({ name: path.basename(name), bytes: readFileSync(name), readAt: now })].flatMap(
    (item) => (item.kind === 'fixture' ? [item] : []),
  );
  const sum: ImportSummary = {
    ...{ created: 0, changed: 0, unchanged: 0, prices: 0, results: 0 },
    ...{ decided: [], rejections: [] },
  };
  for (let index = 0; index < fixtures.length; index += batchSize) {
    const { rejections, ...counted } = await importFixtures(fixtures.slice(index, index + batchSize), feed.name, now);
    for (const key of ['created', 'changed', 'unchanged', 'prices', 'results'] as const) sum[key] += counted[key];
    sum.rejections.push(...rejections);
  }
  return sum;
}

async function seasonCounts(): Promise<Record<string, unknown> | undefined> {
  const { rows } = await sql<Record<string, unknown>>`
    select count(*)::int as fixtures, count(distinct home_id)::int as clubs,
      count(*) filter (where home_score > away_score)::int as home, count(*) filter (where home_score = away_score)::int as draw,
      count(*) filter (where home_score < away_score)::int as away, sum(home_score + away_score)::int as goals
    from fixture join league on league.id = league_id
    left join lateral (select * from fixture_result where fixture_id = fixture.id order by version desc limit 1) result on true
    where league.reference = 'england-premier-league'
  `.execute(database());
  return rows[0];
}

describeIfPresent('the Premier League season of 2025–26, imported', () => {
  beforeAll(async () => {
    expect(await importFile(footballData, season)).toMatchObject({
      created: 380,
      changed: 0,
      unchanged: 0,
      results: 380,
      rejections: [],
    });
  });

  test('has its 380 fixtures, 20 clubs, 162 home wins, 104 draws, 114 away wins and 1,045 goals', async () => {
    expect(await seasonCounts()).toEqual({ fixtures: 380, clubs: 20, home: 162, draw: 104, away: 114, goals: 1045 });
  });

  test('begins with Liverpool v Bournemouth at 20:00 in London', async () => {
    const fixture = await getFixture(guest(), reference, now);
    const inLondon = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/London',
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(new Date(fixture.startsAt));
    expect([inLondon, fixture.startTimeKnown, fixture.season, fixture.name]).toEqual([
      '15/08/2025, 20:00',
      true,
      '2025-26',
      'Liverpool v Bournemouth',
    ]);
    expect(fixture.score).toMatchObject({
      status: 'complete',
      finalScore: { displayName: '4–2' },
      scores: [{ displayName: 'Half-time', homeTeamScore: 1, awayTeamScore: 0 }],
    });
  });

  describe('its first match', () => {
    const quotes = async (): Promise<{ view: MarketsView; book: (id: number) => string }> => {
      const view = await getMarkets(guest(), reference, { showAll: true, pinnacleOnly: false }, now);
      const references = new Map(view.bookmakers.map((bookmaker) => [bookmaker.id, bookmaker.reference]));
      return { view, book: (id) => references.get(id) ?? '' };
    };
    const matchResultOf = ({ markets }: MarketsView) => markets.find(({ kind }) => kind === 'match-result');

    test('has the prices of eight bookmakers and the exchange, before the match and at its start, on all three outcomes', async () => {
      const { view, book } = await quotes();
      const books = [
        'bet365',
        'betfair-exchange',
        'betfred',
        'betmgm',
        'betvictor',
        'bwin',
        'coral',
        'ladbrokes',
        'pinnacle',
      ];
      for (const { odds } of matchResultOf(view)?.selections ?? []) {
        expect(odds.map(({ bookmakerId }) => book(bookmakerId)).sort()).toEqual(books);
        for (const quote of odds) {
          expect(quote.openedAt < view.startsAt).toBe(true);
          expect(quote.closing).toEqual(quote.price);
          expect([quote.changedAt, quote.pulled]).toEqual([view.startsAt, false]);
        }
      }
      expect(matchResultOf(view)?.selections).toHaveLength(3);
    });

    test('was best backed at home at 1.34 on the exchange, at 1.33 with Coral and Ladbrokes among bookmakers', async () => {
      const { view, book } = await quotes();
      const home = matchResultOf(view)?.selections.find(({ key }) => key === 'home');
      const opening = (home?.odds ?? [])
        .map(({ bookmakerId, opening: { oddsThousandths } }) => [book(bookmakerId), oddsThousandths] as const)
        .toSorted((a, b) => b[1] - a[1]);
      expect(opening[0]).toEqual(['betfair-exchange', 1340]);
      expect(opening.slice(1, 3).toSorted()).toEqual([
        ['coral', 1330],
        ['ladbrokes', 1330],
      ]);
      expect(opening[3]?.[1]).toBeLessThan(1330);
    });

    test('has no market that the file does not have, in the order of a page', async () => {
      const { view } = await quotes();
      expect([...new Set(view.markets.map(({ kind }) => kind))]).toEqual(['match-result', 'total', 'asian-handicap']);
      expect(view.markets.filter(({ kind }) => kind === 'total').map(({ line }) => line)).toEqual([2.5]);
    });

    test('has a history of two moments a bookmaker, neither with a time of day, the second its closing price', async () => {
      const histories = await listPriceHistories(guest(), reference, now);
      const { view } = await quotes();
      const main = histories.find(({ marketId }) => marketId === matchResultOf(view)?.id);
      expect(main?.series).toHaveLength(27);
      for (const { changes } of main?.series ?? [])
        expect(changes.map(({ timeKnown, closing }) => [timeKnown, closing])).toEqual([
          [false, false],
          [false, true],
        ]);
    });
  });

  test('is listed whole by its results, newest first, and counted by its league', async () => {
    const { items } = await listResults(
      guest(),
      { sportId: 1, leagueReference: 'england-premier-league', before: { startsAt: now, id: 0 }, limit: 400 },
      now,
    );
    expect(items).toHaveLength(380);
    expect(items.at(-1)?.reference).toBe(reference);
    expect(await listTopLeagues(guest(), { sportId: 1 }, now)).toContainEqual(
      expect.objectContaining({ reference: 'england-premier-league', coming: 0, played: 380 }),
    );
  });

  test('keeps its closing prices through the job that closes markets', async () => {
    const closings = async () => {
      const { rows } = await sql`
        select selection_id, bookmaker_id, closing_thousandths from price join selection on selection.id = selection_id join market on market.id = market_id
        join fixture on fixture.id = fixture_id join league on league.id = league_id where league.reference = 'england-premier-league' order by 1, 2
      `.execute(database());
      return rows;
    };
    const kept = await closings();
    while ((await closeMarkets(now)) > 0);
    expect(kept.length).toBeGreaterThan(10_000);
    expect(await closings()).toEqual(kept);
  });

  test('imported again changes nothing at all', async () => {
    const kept = await everything();
    expect(await importFile(footballData, season)).toEqual({
      created: 0,
      changed: 0,
      unchanged: 380,
      prices: 0,
      results: 0,
      decided: [],
      rejections: [],
    });
    expect(await everything()).toEqual(kept);
  });

  test('has no twin after the same season of openfootball, and the same results', async () => {
    expect(await importFile(openfootball, open)).toMatchObject({
      created: 0,
      changed: 380,
      prices: 0,
      results: 0,
      rejections: [],
    });
    expect(await seasonCounts()).toEqual({ fixtures: 380, clubs: 20, home: 162, draw: 104, away: 114, goals: 1045 });
    expect(await importFile(openfootball, open)).toMatchObject({ created: 0, changed: 0, unchanged: 380 });
  });
});
