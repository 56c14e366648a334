import { theOddsApi } from '@/lib/feeds/the-odds-api';
import type { FeedFixture, FeedItem, FeedNotice } from '@/lib/fixtures/schema';
import { now } from '@/lib/platform/clock';
import { type OddsApiServer, startOddsApi } from '../../support/odds-api-server';
import { damagesOf, fixturesOf, quotes, rejectionsOf } from './reading';

type Item = FeedItem | FeedNotice;

let server: OddsApiServer;
beforeEach(async () => void (server = await startOddsApi({})));
afterEach(() => server.close());

async function read(
  sports: readonly string[],
  { apiKey = server.state.key, baseUrl = server.url } = {},
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of theOddsApi.read({ baseUrl, apiKey, sports, fetch })) items.push(item);
  return items;
}

const feedItems = (items: readonly Item[]) => items.flatMap((item) => (item.kind === 'notice' ? [] : [item]));
const fixtures = (items: readonly Item[]) => fixturesOf(feedItems(items));
const reasons = (items: readonly Item[]) =>
  rejectionsOf(feedItems(items)).map(({ line, column, reason }) => [line, column, reason]);
const damages = (items: readonly Item[]) => damagesOf(feedItems(items)).map(({ line, reason }) => [line, reason]);
const notices = (items: readonly Item[]) => items.flatMap((item) => (item.kind === 'notice' ? [item.text] : []));

const start = '2026-09-12T14:00:00Z';
const updated = '2026-09-10T09:31:05Z';

const h2h = (...outcomes: [string, unknown][]) => ({
  key: 'h2h',
  last_update: updated,
  outcomes: outcomes.map(([name, price]) => ({ name, price })),
});
const lined = (key: string, ...outcomes: [string, unknown, unknown][]) => ({
  key,
  last_update: updated,
  outcomes: outcomes.map(([name, price, point]) => ({ name, price, point })),
});
const book = (key: string, title: string, ...markets: unknown[]) => ({
  key,
  title,
  last_update: '2026-09-10T09:32:00Z',
  markets,
});
const event = (bookmakers: unknown, more = {}) => ({
  id: 'e1',
  sport_key: 'soccer_epl',
  sport_title: 'EPL',
  commence_time: start,
  home_team: 'Northwick',
  away_team: 'Southby',
  bookmakers,
  ...more,
});
const score = (completed: boolean, scores: unknown, more = {}) => ({
  id: 'e1',
  sport_key: 'soccer_epl',
  sport_title: 'EPL',
  commence_time: start,
  completed,
  home_team: 'Northwick',
  away_team: 'Southby',
  scores,
  last_update: null,
  ...more,
});

const prices = h2h(['Northwick', 1.91], ['Southby', 4.2], ['Draw', 3.5]);
const hold = (sport: string, odds: unknown[], scores: unknown[] = []) =>
  void (server.state.sports[sport] = { odds, scores });

async function only(sport: string): Promise<FeedFixture> {
  const [fixture, another] = fixtures(await read([sport]));
  if (!fixture || another) throw new Error('the answers do not give one fixture');
  return fixture;
}

describe('the odds', () => {
  test('give matches with every known bookmaker’s prices at the moment of the last update', async () => {
    hold('soccer_epl', [
      event([
        book('williamhill', 'William Hill', prices, lined('totals', ['Over', 1.8, 2.5], ['Under', 2.05, 2.5])),
        book('pinnacle', 'Pinnacle', lined('spreads', ['Southby', 1.95, 0.75], ['Northwick', 1.97, -0.75])),
      ]),
    ]);
    const items = await read(['soccer_epl']);
    const [fixture] = fixtures(items);
    expect({ ...fixture, markets: [], wholeOffers: [] }).toEqual({
      sourceId: 'e1',
      sportReference: 'football',
      league: {
        reference: 'england-premier-league',
        name: 'Premier League',
        countryIso2: 'GB',
        territory: 'England',
        rank: 10,
      },
      season: '2026-27',
      home: 'Northwick',
      away: 'Southby',
      startsAt: '2026-09-12T14:00:00.000Z',
      startTimeKnown: true,
      result: null,
      markets: [],
      wholeOffers: [],
    });
    expect(fixture && quotes(fixture)).toEqual([
      'match-result 0 home william-hill 1.91',
      'match-result 0 draw william-hill 3.5',
      'match-result 0 away william-hill 4.2',
      'total 250 over william-hill 1.8',
      'total 250 under william-hill 2.05',
      'asian-handicap -75 home pinnacle 1.97',
      'asian-handicap -75 away pinnacle 1.95',
    ]);
    expect(fixture?.markets[0]?.selections[1]).toEqual({
      key: 'draw',
      name: 'Draw',
      prices: [
        {
          bookmakerReference: 'william-hill',
          price: { oddsThousandths: 3500, fraction: null },
          at: '2026-09-10T09:31:05.000Z',
          timeKnown: true,
          closing: false,
        },
      ],
    });
    expect(fixture?.markets.every(({ includesOvertime, period }) => !includesOvertime && period === 'full-time')).toBe(
      true,
    );
    expect(items.map(({ kind }) => kind)).toEqual(['fixture', 'notice']);
  });

  test('are asked for in decimals, for British and European bookmakers', async () => {
    hold('soccer_epl', []);
    hold('tennis_atp_wimbledon', []);
    await read(['soccer_epl', 'tennis_atp_wimbledon']);
    expect(server.calls).toEqual([
      'GET /v4/sports/soccer_epl/odds?regions=uk,eu&markets=h2h,spreads,totals&oddsFormat=decimal&dateFormat=iso',
      'GET /v4/sports/soccer_epl/scores?daysFrom=3&dateFormat=iso',
      'GET /v4/sports/tennis_atp_wimbledon/odds?regions=uk,eu&markets=h2h&oddsFormat=decimal&dateFormat=iso',
    ]);
  });

  test('of two bookmakers stand in one market where their lines are the same, and apart where not', async () => {
    const spreads = (line: number) => lined('spreads', ['Northwick', 1.9, line], ['Southby', 1.9, -line]);
    hold('soccer_epl', [
      event([
        book('coral', 'Coral', spreads(0)),
        book('pinnacle', 'Pinnacle', spreads(-0.25)),
        book('betvictor', 'BetVictor', spreads(0)),
      ]),
    ]);
    expect(
      (await only('soccer_epl')).markets.map(({ lineHundredths, selections }) => [
        lineHundredths,
        selections[0]?.prices.map(({ bookmakerReference }) => bookmakerReference),
      ]),
    ).toEqual([
      [0, ['coral', 'betvictor']],
      [-25, ['pinnacle']],
    ]);
  });

  test('of an exchange that stands there once a region are taken once, and what is laid there not at all', async () => {
    const lay = { ...prices, key: 'h2h_lay' };
    hold('soccer_epl', [
      event([
        book('betfair_ex_uk', 'Betfair', prices, lay),
        book('betfair_ex_eu', 'Betfair', h2h(['Northwick', 1.92], ['Southby', 4.3], ['Draw', 3.6])),
      ]),
    ]);
    const fixture = await only('soccer_epl');
    expect(quotes(fixture)).toEqual([
      'match-result 0 home betfair-exchange 1.91',
      'match-result 0 draw betfair-exchange 3.5',
      'match-result 0 away betfair-exchange 4.2',
    ]);
  });

  test('of a bookmaker that is not among ours are left out, which is said once', async () => {
    const bookmakers = [book('example_uk', 'Example Bets', prices), book('coral', 'Coral', prices)];
    hold('soccer_epl', [event(bookmakers), event(bookmakers, { id: 'e2', home_team: 'Eastham' })]);
    const items = await read(['soccer_epl']);
    expect(reasons(items)[0]).toEqual([
      1,
      'bookmakers',
      'The bookmaker "Example Bets" (example_uk) is not among ours; its prices were left out of every event.',
    ]);
    expect(reasons(items).filter(([, column]) => column === 'bookmakers')).toHaveLength(1);
    expect(
      fixtures(items)
        .flatMap(quotes)
        .every((quote) => quote.includes('coral')),
    ).toBe(true);
  });

  test.each<[unknown, string, string]>([
    [
      h2h(['Northwick', 1], ['Southby', 4.2], ['Draw', 3.5]),
      'coral h2h',
      '"1.000" is out of range. Write odds from 1.001 to 1000.00. The price was left out.',
    ],
    [
      h2h(['Northwick', 1.91], ['Southby', 4.2]),
      'coral h2h',
      'h2h of football must price the draw. The prices were left out.',
    ],
    [
      h2h(['Northwick', 1.91], ['Draw', 3.5]),
      'coral h2h',
      'h2h must price both sides, and the draw where there is one. The prices were left out.',
    ],
    [
      h2h(['Northwick', 1.91], ['Westley', 4.2], ['Draw', 3.5]),
      'coral h2h',
      'h2h must price both sides, and the draw where there is one. The prices were left out.',
    ],
    [
      lined('spreads', ['Northwick', 1.9, -0.5], ['Southby', 1.9, 0.75]),
      'coral spreads',
      'The handicaps -0.5 and 0.75 are no pair of lines such as -0.5 and 0.5. The prices were left out.',
    ],
    [
      lined('spreads', ['Northwick', 1.9, -0.3], ['Southby', 1.9, 0.3]),
      'coral spreads',
      'The handicaps -0.3 and 0.3 are no pair of lines such as -0.5 and 0.5. The prices were left out.',
    ],
    [
      lined('spreads', ['Northwick', 1.9, undefined], ['Southby', 1.9, 0.5]),
      'coral spreads',
      'The handicaps none and 0.5 are no pair of lines such as -0.5 and 0.5. The prices were left out.',
    ],
    [
      lined('totals', ['Over', 1.9, 2.5], ['Under', 1.9, 3]),
      'coral totals',
      'The totals 2.5 and 3 are not one line such as 2.5. The prices were left out.',
    ],
    [
      lined('totals', ['Over', 1.9, 2.5]),
      'coral totals',
      'totals must price Over and Under. The prices were left out.',
    ],
    [
      lined('totals', ['Over', '1.9', 2.5], ['Under', 1.9, 2.5]),
      'bookmakers.0.markets.0.outcomes.0.price',
      "bookmakers.0.markets.0.outcomes.0.price must be a number; the bookmaker's prices were left out.",
    ],
  ])('that cannot be used are left out with the reason, and the others kept: %j', async (market, column, reason) => {
    hold('soccer_epl', [event([book('coral', 'Coral', market), book('pinnacle', 'Pinnacle', prices)])]);
    const items = await read(['soccer_epl']);
    expect(reasons(items)).toEqual([[1, column, `soccer_epl odds, Northwick v Southby: ${reason}`]]);
    expect(
      fixtures(items)
        .flatMap(quotes)
        .filter((quote) => quote.includes('pinnacle')),
    ).toHaveLength(3);
  });

  describe('hold the whole offer', () => {
    const whole = ['match-result', 'moneyline', 'asian-handicap', 'total'];
    const offersOf = async (sport: string, ...bookmakers: unknown[]) => {
      hold(sport, [event(bookmakers, { sport_key: sport })]);
      const asked = now();
      const { wholeOffers } = await only(sport);
      const at = new Date(wholeOffers?.at ?? 0);
      expect([at >= asked, at <= now()]).toEqual([true, true]);
      return new Map(wholeOffers?.offers.map(({ bookmakerReference, kinds }) => [bookmakerReference, kinds]));
    };
    const badTotals = lined('totals', ['Over', 1.9, 2.5]);

    test('of every bookmaker of ours, also of one that they do not name', async () => {
      const offers = await offersOf('soccer_epl', book('coral', 'Coral', prices));
      expect([offers.get('coral'), offers.get('bet365'), offers.get('betfair-exchange')]).toEqual([
        whole,
        whole,
        whole,
      ]);
      expect(await offersOf('soccer_epl')).toEqual(offers);
    });

    test('in the kinds that were asked for', async () => {
      const offers = await offersOf(
        'tennis_atp_wimbledon',
        book('coral', 'Coral', h2h(['Northwick', 2], ['Southby', 2])),
      );
      expect(new Set([...offers.values()].flat())).toEqual(new Set(['match-result', 'moneyline']));
    });

    test('but for what could not be read', async () => {
      const offers = await offersOf(
        'soccer_epl',
        book('coral', 'Coral', prices, badTotals),
        book('pinnacle', 'Pinnacle', h2h(['Northwick', 1], ['Southby', 4.2], ['Draw', 3.5])),
        book('betfair_ex_uk', 'Betfair', badTotals),
        book('betfair_ex_eu', 'Betfair', prices),
        book('bwin', 'Bwin', lined('totals', ['Over', '1.9', 2.5])),
        book('example_uk', 'Example Bets', lined('totals', ['Over', '1.9', 2.5])),
      );
      const butTotals = whole.slice(0, 3);
      expect([offers.get('coral'), offers.get('betfair-exchange'), offers.get('bwin')]).toEqual([
        butTotals,
        butTotals,
        undefined,
      ]);
      expect([offers.get('pinnacle'), offers.get('bet365')]).toEqual([whole.slice(1), whole]);
    });

    test('of nobody where one cannot be told whose it is', async () => {
      expect((await offersOf('soccer_epl', book('coral', 'Coral', prices), { title: 'Coral', markets: [] })).size).toBe(
        0,
      );
    });
  });

  test.each<[unknown, string | null, string]>([
    [null, null, 'The event must be an object.'],
    [event([], { id: '' }), 'id', 'id must be given.'],
    [
      event([], { commence_time: 1789221600 }),
      'commence_time',
      'commence_time must be a moment such as 2026-09-07T16:30:00Z.',
    ],
    [event([], { home_team: null }), 'home_team', 'The name of the side is missing.'],
    [event([], { away_team: 'Northwick' }), 'away_team', '"Northwick" cannot play against itself.'],
    [event('none'), 'bookmakers', 'bookmakers must be a list.'],
  ])('reject an event that cannot be used and keep the others: %j', async (bad, column, problem) => {
    hold('soccer_epl', [event([]), bad, event([], { id: 'e3', home_team: 'Eastham' })]);
    const items = await read(['soccer_epl']);
    expect(reasons(items)).toEqual([[2, column, `soccer_epl odds: ${problem}`]]);
    expect(fixtures(items).map(({ home }) => home)).toEqual(['Northwick', 'Eastham']);
  });
});

describe('a sport', () => {
  const two = h2h(['Northwick', 1.5], ['Southby', 2.6]);

  test.each([
    ['basketball_nba', 'basketball', 'nba', '2026-27', true],
    ['americanfootball_nfl', 'american-football', 'nfl', '2026-27', true],
    ['baseball_mlb', 'baseball', 'mlb', '2026', true],
    ['icehockey_nhl', 'ice-hockey', 'nhl', '2026-27', true],
    ['tennis_atp_wimbledon', 'tennis', 'tennis-atp-wimbledon', '', false],
    ['mma_mixed_martial_arts', 'mma', 'mma-mixed-martial-arts', '', false],
  ])('without draws has a moneyline: %s', async (sport, sportReference, league, season, includesOvertime) => {
    hold(sport, [event([book('pinnacle', 'Pinnacle', two)], { sport_key: sport, sport_title: 'The title' })]);
    const fixture = await only(sport);
    expect(fixture).toMatchObject({
      sportReference,
      league: { reference: league },
      season,
      markets: [{ kind: 'moneyline', includesOvertime }],
    });
    expect(quotes(fixture)).toEqual(['moneyline 0 home pinnacle 1.5', 'moneyline 0 away pinnacle 2.6']);
  });

  test('in which overtime decides counts it in handicaps and totals, and its draws are left out', async () => {
    const markets = [
      prices,
      lined('spreads', ['Northwick', 1.9, -5.5], ['Southby', 1.9, 5.5]),
      lined('totals', ['Over', 1.9, 221], ['Under', 1.9, 221]),
    ];
    const bookmakers = [book('pinnacle', 'Pinnacle', ...markets), book('coral', 'Coral', prices)];
    hold('basketball_euroleague', [event(bookmakers)]);
    const items = await read(['basketball_euroleague']);
    expect(
      fixtures(items)[0]?.markets.map(({ kind, lineHundredths, includesOvertime }) => [
        kind,
        lineHundredths,
        includesOvertime,
      ]),
    ).toEqual([
      ['asian-handicap', -550, true],
      ['total', 22_100, true],
    ]);
    expect(reasons(items)).toEqual([
      [
        1,
        'pinnacle h2h',
        'A draw is priced where overtime decides, and the source gives no score without overtime. The prices were left out.',
      ],
    ]);
  });

  test('whose scores would not settle every bet rightly is not asked for them, and that is said', async () => {
    hold(
      'soccer_fa_cup',
      [event([book('pinnacle', 'Pinnacle', prices)])],
      [
        score(true, [
          { name: 'Northwick', score: '2' },
          { name: 'Southby', score: '1' },
        ]),
      ],
    );
    const items = await read(['soccer_fa_cup']);
    expect(fixtures(items)).toMatchObject([
      { league: { reference: 'soccer-fa-cup', name: 'EPL' }, season: '', result: null },
    ]);
    expect(server.calls).toHaveLength(1);
    expect(notices(items)[0]).toBe(
      'soccer_fa_cup: no scores were asked for, as they would not settle every bet rightly.',
    );
  });

  test.each([
    [
      'politics_us_presidential_election',
      'is of no sport that is read; give keys such as soccer_epl or basketball_nba.',
    ],
    ['soccer', 'is of no sport that is read; give keys such as soccer_epl or basketball_nba.'],
    ['soccer_epl/../../admin', 'is of no sport that is read; give keys such as soccer_epl or basketball_nba.'],
    [
      'soccer_fifa_world_cup_winner',
      'holds bets on who wins a competition, not matches; give the key of the competition itself.',
    ],
  ])('that is not read costs no call and does not keep others from being read: %s', async (sport, problem) => {
    hold('soccer_epl', [event([])]);
    const items = await read([sport, 'soccer_epl']);
    expect(damages(items)).toEqual([[0, `${sport} ${problem}`]]);
    expect([fixtures(items).length, server.calls.length]).toEqual([1, 2]);
  });
});

describe('the scores', () => {
  const goals = (own: unknown, other: unknown) => [
    { name: 'Southby', score: other },
    { name: 'Northwick', score: own },
  ];

  test('give the result of a completed match, read from text', async () => {
    hold('soccer_epl', [], [score(true, goals('2', '10'))]);
    expect((await only('soccer_epl')).result).toEqual({ home: 2, away: 10, halfTime: null });
  });

  test('give a match without odds that is still to come or being played, without a result', async () => {
    hold(
      'soccer_epl',
      [],
      [score(false, null), score(false, goals('1', '0'), { id: 'e2', home_team: 'Eastham', scores: null })],
    );
    expect(fixtures(await read(['soccer_epl'])).map(({ home, result }) => [home, result])).toEqual([
      ['Northwick', null],
      ['Eastham', null],
    ]);
  });

  test('do not give again what the odds gave until it is completed', async () => {
    const other = { id: 'e2', home_team: 'Eastham' };
    hold(
      'soccer_epl',
      [event([]), event([], other)],
      [
        score(false, goals('1', '0')),
        score(
          true,
          [
            { name: 'Eastham', score: '0' },
            { name: 'Southby', score: '0' },
          ],
          other,
        ),
      ],
    );
    const items = await read(['soccer_epl']);
    expect(feedItems(items).map(({ line }) => line)).toEqual([1, 2, 4]);
    expect(fixtures(items).map(({ sourceId, result }) => [sourceId, result?.home ?? null])).toEqual([
      ['e1', null],
      ['e2', null],
      ['e2', 0],
    ]);
  });

  test.each<[unknown, string]>([
    [null, 'none and none'],
    [goals('2', null), '"2" and none'],
    [goals('2', '1.5'), '"2" and "1.5"'],
    [goals('-1', '0'), '"-1" and "0"'],
    [goals('245/6', '240'), '"245/6" and "240"'],
    [
      [
        { name: 'Northwick', score: '2' },
        { name: 'Southby FC', score: '1' },
      ],
      '"2" and none',
    ],
  ])('that are no whole numbers leave a completed match without a result: %j', async (scores, given) => {
    hold('soccer_epl', [], [score(true, scores)]);
    const items = await read(['soccer_epl']);
    expect(fixtures(items)).toMatchObject([{ result: null }]);
    expect(reasons(items)).toEqual([
      [
        1,
        'scores',
        `soccer_epl scores, Northwick v Southby: The match is completed, but its scores are ${given}, not whole numbers for both sides; it was left without a result.`,
      ],
    ]);
  });
});
