import { sql } from 'kysely';
import { guest } from '@/lib/http/viewer';
import { getFixture } from '@/lib/fixtures/queries/fixtures';
import { getFixtureById, getMarkets, getScore, listMarketNames, listPriceHistories } from '@/lib/fixtures/queries';
import { type FeedMarket, type FeedSelection, type MarketKind, marketsViewSchema } from '@/lib/fixtures/schema';
import { priceHistorySchema } from '@/lib/fixtures/schema/markets';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { importAll } from '../support/import';
import { guestFrom } from '../support/viewer';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

const viewer = guest();
const played = 'rovers-v-town-2026-03-07';
const all = { showAll: true, pinnacleOnly: false };
const missing = expect.objectContaining({ name: 'Failure', kind: 'missing' });

const start = '2026-03-20T15:00:00.000Z';
const own = 'swifts-v-dons-2026-03-20';
const at = '2026-03-10T09:00:00.000Z';

type Quotes = Record<string, number>;

const selection = (key: string, quotes: Quotes, name = key): FeedSelection => ({
  key,
  name,
  prices: Object.entries(quotes).map(([bookmakerReference, oddsThousandths]) => ({
    bookmakerReference,
    price: { oddsThousandths, fraction: null },
    at,
    timeKnown: true,
    closing: false,
  })),
});

const market = (kind: MarketKind, more: Partial<FeedMarket> = {}): FeedMarket => ({
  kind,
  lineHundredths: 0,
  period: 'full-time',
  includesOvertime: false,
  selections: [selection('yes', { bet365: 2000 })],
  ...more,
});

const importMarkets = (markets: FeedMarket[]) => importAll([match('Swifts', 'Dons', start, { markets })]);

describe('what is not there', () => {
  test.each(['nobody-v-noone-2026-03-07', '', 'Rovers', '../x', "x'--", 'a'.repeat(300), 'constructor'])(
    'the reference %j is missing everywhere',
    async (reference) => {
      await expect(getFixture(viewer, reference, worldNow)).rejects.toEqual(missing);
      await expect(getScore(viewer, reference, worldNow)).rejects.toEqual(missing);
      await expect(getMarkets(viewer, reference, all, worldNow)).rejects.toEqual(missing);
      await expect(listPriceHistories(viewer, reference, worldNow)).rejects.toEqual(missing);
      await expect(listMarketNames(viewer, reference)).rejects.toEqual(missing);
    },
  );

  test(
    'a fixture of a sport that is not on offer is missing everywhere, its league too',
    undone(async () => {
      const league = { reference: 'footy', name: 'Footy', countryIso2: null, territory: null, rank: 1 };
      await importAll([
        match('Hawks', 'Swans', start, {
          sportReference: 'australian-rules',
          league,
          markets: [matchResult('Hawks', 'Swans', at, { bet365: [1500, 9000, 2500] })],
        }),
      ]);
      const { rows } = await sql<{
        id: number;
        reference: string;
      }>`select id, reference from fixture where name = 'Hawks v Swans'`.execute(database());
      const { id = 0, reference = '' } = rows[0] ?? {};
      expect(reference).toBe('hawks-v-swans-2026-03-20');
      await expect(getFixture(viewer, reference, worldNow)).rejects.toEqual(missing);
      await expect(getMarkets(viewer, reference, all, worldNow)).rejects.toEqual(missing);
      await expect(getFixtureById(viewer, { id, sportId: 7 }, worldNow)).rejects.toEqual(missing);
      await expect(listMarketNames(viewer, reference)).rejects.toEqual(missing);
      await expect(listMarketNames(viewer, 'footy')).rejects.toEqual(missing);
    }),
  );

  test('a fixture is found by its id in its own sport alone', async () => {
    const { id } = await getFixture(viewer, played, worldNow);
    expect(await getFixtureById(viewer, { id, sportId: 1 }, worldNow)).toEqual(
      await getFixture(viewer, played, worldNow),
    );
    await expect(getFixtureById(viewer, { id, sportId: 2 }, worldNow)).rejects.toEqual(missing);
    await expect(getFixtureById(viewer, { id: 2_147_483_647, sportId: 1 }, worldNow)).rejects.toEqual(missing);
  });
});

describe('the markets of a fixture', () => {
  test(
    'stand in the order of a page: by kind, whole matches before halves, then by line',
    undone(async () => {
      await importMarkets([
        market('total', { lineHundredths: 350 }),
        market('scorer'),
        market('both-teams-to-score'),
        market('match-result', { period: 'half-time' }),
        market('asian-handicap', { lineHundredths: 50 }),
        market('asian-handicap', { lineHundredths: -150 }),
        market('total', { lineHundredths: 250, period: 'half-time' }),
        market('total', { lineHundredths: 250 }),
        market('match-result'),
      ]);
      const { markets } = await getMarkets(viewer, own, all, worldNow);
      expect(markets.map(({ name, line }) => [name, line])).toEqual([
        ['Match result', null],
        ['Half-time match result', null],
        ['Over/under 2.5', 2.5],
        ['Over/under 3.5', 3.5],
        ['Half-time over/under 2.5', 2.5],
        ['Asian handicap −1.5', -1.5],
        ['Asian handicap +0.5', 0.5],
        ['Both teams to score', null],
        ['Goalscorer', null],
      ]);
      expect(
        (await getMarkets(viewer, own, { showAll: false, pinnacleOnly: false }, worldNow)).markets.map(
          ({ name }) => name,
        ),
      ).toEqual(['Match result']);
    }),
  );

  test(
    'have their selections by best odds ascending, those without odds last, and say the best',
    undone(async () => {
      await importMarkets([
        market('match-result', {
          selections: [
            selection('home', { bet365: 3000, coral: 3400 }),
            selection('draw', {}),
            selection('away', { bet365: 2000, coral: 1900 }),
          ],
        }),
      ]);
      const [first] = (await getMarkets(viewer, own, all, worldNow)).markets;
      expect(first?.selections.map(({ key, selectedOdds }) => [key, selectedOdds])).toEqual([
        ['away', 2],
        ['home', 3.4],
        ['draw', null],
      ]);
    }),
  );

  test(
    'have their quotes by odds, then rating, then the fixed preference; pulled ones last and never the best',
    undone(async () => {
      await importMarkets([
        market('match-result', {
          selections: [
            selection('home', {
              ladbrokes: 2000,
              bet365: 2000,
              quillgate: 2000,
              tarnwick: 2000,
              coral: 2100,
              pinnacle: 2500,
              'tipledger-exchange': 2000,
            }),
          ],
        }),
      ]);
      await sql`update price set pulled_at = ${worldNow} from bookmaker where bookmaker.id = bookmaker_id and bookmaker.reference = 'pinnacle'`.execute(
        database(),
      );
      const view = await getMarkets(viewer, own, all, worldNow);
      const references = new Map(view.bookmakers.map(({ id, reference }) => [id, reference]));
      const [home] = view.markets[0]?.selections ?? [];
      expect(home?.odds.map(({ bookmakerId, odds, pulled }) => [references.get(bookmakerId), odds, pulled])).toEqual([
        ['coral', 2.1, false],
        ['quillgate', 2, false],
        ['tarnwick', 2, false],
        ['tipledger-exchange', 2, false],
        ['bet365', 2, false],
        ['ladbrokes', 2, false],
        ['pinnacle', 2.5, true],
      ]);
      expect(home?.selectedOdds).toBe(2.1);
      expect(view.bookmakers.map(({ reference }) => reference)).toEqual([
        'tipledger-exchange',
        'quillgate',
        'tarnwick',
        'bet365',
        'coral',
        'ladbrokes',
        'pinnacle',
      ]);
    }),
  );

  test(
    'name the sides of a handicap with their own lines',
    undone(async () => {
      await importMarkets([
        market('asian-handicap', {
          lineHundredths: -75,
          selections: [selection('home', { bet365: 1900 }, 'Swifts'), selection('away', { bet365: 1950 }, 'Dons')],
        }),
      ]);
      const [handicap] = (await getMarkets(viewer, own, all, worldNow)).markets;
      expect(handicap?.selections.map(({ name }) => name)).toEqual(['Swifts −0.75', 'Dons +0.75']);
    }),
  );

  test('are views that the schema declares, the histories too', async () => {
    const view = await getMarkets(viewer, played, all, worldNow);
    expect(marketsViewSchema.parse(view)).toEqual(view);
    for (const history of await listPriceHistories(viewer, played, worldNow))
      expect(priceHistorySchema.parse(history)).toEqual(history);
  });

  test(
    'leave out a market without a price',
    undone(async () => {
      await importMarkets([
        market('total', { lineHundredths: 250, selections: [selection('over', {}), selection('under', {})] }),
      ]);
      expect(await getMarkets(viewer, own, all, worldNow)).toMatchObject({
        markets: [],
        empty: 'No bookmaker has a price for this fixture yet.',
      });
    }),
  );
});

describe('what a country may see', () => {
  const block = (
    purpose: 'markets_country_block' | 'live_odds_country_block' | 'add_tips_country_block',
    references: string[],
  ) =>
    asOwner(
      sql`update bookmaker set ${sql.ref(purpose)} = ${[guestFrom('US').countryId]}::int[] where reference = any(${references}::text[])`,
    );
  const unblock = async () => {
    await asOwner(
      sql`update bookmaker set markets_country_block = '{}', live_odds_country_block = '{}', add_tips_country_block = '{}' where id > 100`,
    );
    await forget(['bookmakers']);
  };
  const booksFor = async (iso2: 'US' | 'GB', pinnacleOnly = false) =>
    (await getMarkets(guestFrom(iso2), played, { showAll: true, pinnacleOnly }, worldNow)).bookmakers.map(
      ({ reference }) => reference,
    );
  afterEach(unblock);

  test('leaves out the bookmakers blocked there, in the grid and the history, and nowhere else', async () => {
    expect(await booksFor('US')).toEqual(['bet365', 'coral', 'pinnacle']);
    await block('markets_country_block', ['bet365']);
    await forget(['bookmakers']);
    expect([await booksFor('US'), await booksFor('GB')]).toEqual([
      ['coral', 'pinnacle'],
      ['bet365', 'coral', 'pinnacle'],
    ]);
    const series = async (iso2: 'US' | 'GB') =>
      new Set(
        (await listPriceHistories(guestFrom(iso2), played, worldNow)).flatMap((history) =>
          history.series.map(({ bookmakerName }) => bookmakerName),
        ),
      );
    expect([await series('US'), await series('GB')]).toEqual([
      new Set(['Coral', 'Pinnacle']),
      new Set(['bet365', 'Coral', 'Pinnacle']),
    ]);
    const us = await getMarkets(guestFrom('US'), played, all, worldNow);
    expect(us.markets.map(({ kind }) => kind)).toEqual(['match-result']);
    expect(JSON.stringify(us)).not.toContain('"bookmakerId":101');
  });

  test('does not heed the blocks for other purposes', async () => {
    await block('live_odds_country_block', ['bet365', 'coral']);
    await block('add_tips_country_block', ['bet365', 'coral']);
    await forget(['bookmakers']);
    expect(await booksFor('US')).toEqual(['bet365', 'coral', 'pinnacle']);
  });

  test(
    'is for live odds while a fixture is under way, in its history as in its grid, and for adding tips where that is asked for',
    undone(async () => {
      await importAll([
        match('Swifts', 'Dons', start, {
          markets: [
            matchResult('Swifts', 'Dons', at, {
              bet365: [2000, 3000, 4000],
              coral: [2010, 3010, 4010],
              pinnacle: [2020, 3020, 4020],
            }),
          ],
        }),
      ]);
      await block('live_odds_country_block', ['bet365']);
      await block('markets_country_block', ['coral']);
      await block('add_tips_country_block', ['pinnacle']);
      await forget(['bookmakers']);
      const books = async (now: string, purpose?: 'addTips') => {
        const histories = await listPriceHistories(guestFrom('US'), own, new Date(now), purpose);
        return [
          ...new Set(histories.flatMap(({ series }) => series.map(({ bookmakerName }) => bookmakerName))),
        ].toSorted();
      };
      expect(await books('2026-03-20T14:59:59.000Z')).toEqual(['Pinnacle', 'bet365']);
      expect(await books('2026-03-20T15:00:00.000Z')).toEqual(['Coral', 'Pinnacle']);
      expect(await books('2026-03-20T14:59:59.000Z', 'addTips')).toEqual(['Coral', 'bet365']);
    }),
  );

  test('can be nothing, and the page says why', async () => {
    await block('markets_country_block', ['bet365', 'coral', 'pinnacle']);
    await forget(['bookmakers']);
    expect(await getMarkets(guestFrom('US'), played, all, worldNow)).toMatchObject({
      markets: [],
      bookmakers: [],
      empty: 'No bookmaker in your country (United States) has a price for this fixture.',
    });
    expect(await getMarkets(guestFrom('US'), played, { showAll: true, pinnacleOnly: true }, worldNow)).toMatchObject({
      empty: 'Pinnacle is not shown in your country (United States).',
    });
    expect(await booksFor('GB', true)).toEqual(['pinnacle']);
  });

  test('follows what an import changes at once', async () => {
    const best = async () =>
      (await getMarkets(viewer, 'athletic-v-wanderers-2026-03-10', all, worldNow)).markets[0]?.selections[0]
        ?.selectedOdds;
    expect(await best()).toBe(2.5);
    await importAll([
      match('Athletic', 'Wanderers', '2026-03-10T20:00:00.000Z', {
        markets: [matchResult('Athletic', 'Wanderers', '2026-03-10T11:00:00.000Z', { bet365: [2600, 3200, 2900] })],
      }),
    ]);
    expect(await best()).toBe(2.6);
  });
});

describe('the history of prices', () => {
  test('gives each bookmaker’s changes in order of time, the closing one marked', async () => {
    const [main] = await listPriceHistories(viewer, played, worldNow);
    const home = main?.series
      .filter(({ selectionName }) => selectionName === 'Rovers')
      .map(({ bookmakerName, changes }) => [
        bookmakerName,
        changes.map(({ price, closing, timeKnown }) => [price?.oddsThousandths, closing, timeKnown]),
      ]);
    expect(home).toEqual([
      [
        'bet365',
        [
          [1910, false, true],
          [1850, true, false],
        ],
      ],
      ['Coral', [[1900, false, true]]],
      [
        'Pinnacle',
        [
          [1950, false, true],
          [1890, true, false],
        ],
      ],
    ]);
  });
});

describe('the names of markets', () => {
  test(
    'count the markets that have a price, in the order of a page',
    undone(async () => {
      await importMarkets([
        market('total', { lineHundredths: 350 }),
        market('match-result'),
        market('total', { lineHundredths: 250 }),
        market('correct-score', { selections: [selection('1-0', {})] }),
      ]);
      expect(await listMarketNames(viewer, own)).toEqual([
        { kind: 'match-result', name: 'Match result', count: 1 },
        { kind: 'total', name: 'Over/under', count: 2 },
      ]);
    }),
  );
});
