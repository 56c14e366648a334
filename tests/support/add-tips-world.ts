import { runnerKey } from '@/lib/fixtures/rules';
import type { FeedFixture, FeedMarket, FeedRace, MarketKind } from '@/lib/fixtures/schema';

/** The fixtures that tips are added on, by what is special about them. */
export const tippedFixtures = ['match', 'tennis', 'race', 'golf', 'moving', 'starting', 'hockey'] as const;

/** One of them. */
export type TippedFixture = (typeof tippedFixtures)[number];

/** What tests know of the site: where each fixture is. */
export type AddTipsWorld = Record<TippedFixture, string>;

/** The bookmakers of the site, the best price first, with what each adds to a price in thousandths. */
export const books = [
  { reference: 'copperlane', adds: 50 },
  { reference: 'tipledger-exchange', adds: 30 },
  { reference: 'harrow-and-vane', adds: 0 },
] as const;

const hour = 3_600_000;

/** How long after the world was made its match starts. */
export const matchStartsInHours = 20;

type Selected = { key: string; name: string; odds: number };

function market(
  kind: MarketKind,
  selections: readonly Selected[],
  quotedAt: Date,
  said: Partial<FeedMarket> = {},
): FeedMarket {
  const at = quotedAt.toISOString();
  return {
    ...{ kind, lineHundredths: 0, period: 'full-time', includesOvertime: false },
    selections: selections.map(({ key, name, odds }) => ({
      key,
      name,
      prices: books.map(({ reference, adds }) => ({
        bookmakerReference: reference,
        price: { oddsThousandths: odds + adds, fraction: null },
        at,
        timeKnown: true,
        closing: false,
      })),
    })),
    ...said,
  };
}

type Sides = { home: string; away: string };

const results = ({ home, away }: Sides, from: number): Selected[] => [
  { key: 'home', name: home, odds: from },
  { key: 'draw', name: 'Draw', odds: from + 900 },
  { key: 'away', name: away, odds: from + 1400 },
];

/** Every market of football: thirteen kinds less those of other sports, in enough lines to make forty. */
function footballMarkets(sides: Sides, at: Date): FeedMarket[] {
  const { home, away } = sides;
  const lines = [50, 100, 150, 175, 200, 225, 250, 275, 300, 350, 450, 550];
  const handicaps = [-250, -200, -175, -150, -125, -100, -75, -50, -25, 0, 25, 50, 100];
  const three = ['home', 'draw', 'away'] as const;
  const name = { home, draw: 'Draw', away };
  const scores = Array.from({ length: 5 }, (_, goals) =>
    Array.from({ length: 4 }, (_, others) => [`${goals}-${others}`, 7000 + 2000 * (goals + others)] as const),
  ).flat();
  return [
    market('match-result', results(sides, 2100), at),
    market('match-result', results(sides, 2500), at, { period: 'half-time' }),
    market(
      'double-chance',
      [
        { key: 'home-draw', name: `${home} or draw`, odds: 1300 },
        { key: 'home-away', name: `${home} or ${away}`, odds: 1250 },
        { key: 'draw-away', name: `Draw or ${away}`, odds: 1700 },
      ],
      at,
    ),
    market(
      'draw-no-bet',
      [
        { key: 'home', name: home, odds: 1600 },
        { key: 'away', name: away, odds: 2300 },
      ],
      at,
    ),
    ...lines.map((line, place) =>
      market(
        'total',
        [
          { key: 'over', name: `Over ${line / 100}`, odds: 1200 + 150 * place },
          { key: 'under', name: `Under ${line / 100}`, odds: 4200 - 200 * place },
        ],
        at,
        { lineHundredths: line },
      ),
    ),
    ...handicaps.map((line, place) =>
      market(
        'asian-handicap',
        [
          { key: 'home', name: home, odds: 3600 - 150 * place },
          { key: 'away', name: away, odds: 1300 + 120 * place },
        ],
        at,
        { lineHundredths: line },
      ),
    ),
    ...[-200, -100, 100].map((line) => market('european-handicap', results(sides, 2500), at, { lineHundredths: line })),
    market(
      'both-teams-to-score',
      [
        { key: 'yes', name: 'Yes', odds: 1750 },
        { key: 'no', name: 'No', odds: 2000 },
      ],
      at,
    ),
    market(
      'correct-score',
      [
        ...scores.map(([key, odds]) => ({ key, name: key.replace('-', '–'), odds })),
        { key: 'other', name: 'Any other score', odds: 13_000 },
      ],
      at,
    ),
    market(
      'half-time-full-time',
      three.flatMap((half, first) =>
        three.map((full, second) => ({
          key: `${half}/${full}`,
          name: `${name[half]} / ${name[full]}`,
          odds: 3000 + 1500 * first + 700 * second,
        })),
      ),
      at,
    ),
    market(
      'scorer',
      Array.from({ length: 14 }, (_, place) => `${'ABCDEFGHIJKLMN'[place]}. Tarnovar`).map((player, place) => ({
        key: runnerKey(player),
        name: player,
        odds: 3000 + 500 * place,
      })),
      at,
    ),
  ];
}

const league = (reference: string, name: string) => ({ reference, name, countryIso2: null, territory: null, rank: 50 });

type Setting = {
  sportReference: string;
  league: FeedFixture['league'];
  startsAt: Date;
  sides: Sides;
  markets: FeedMarket[];
};

const fixture = ({ sides, startsAt, ...rest }: Setting): FeedFixture => ({
  ...rest,
  ...sides,
  season: '2026',
  startsAt: startsAt.toISOString(),
  startTimeKnown: true,
  result: null,
});

const sidesOf = {
  match: { home: 'Orchard Vale', away: 'Pembury Athletic' },
  moving: { home: 'Quillington', away: 'Rushmere Town' },
  starting: { home: 'Saxby Rovers', away: 'Tolworth' },
  tennis: { home: 'U. Vennick', away: 'W. Xandry' },
  hockey: { home: 'Yarrow Kites', away: 'Zennor Bears' },
} as const satisfies Partial<Record<TippedFixture, Sides>>;

const horses = [
  'Amber Lantern',
  'Blue Ledger',
  'Copper Field',
  'Dusty Verdict',
  'Early Ferry',
  'Fallow Deer',
  'Gilded Thistle',
  'High Meadow',
  'Iron Orchard',
  'Jolly Miller',
  'Kind Regards',
  'Long Division',
  'Morning Bell',
  'Northern Tide',
  'Open Ledger',
  'Paper Boat',
  'Quiet River',
  'Red Kettle',
  'Silver Acorn',
  'Tall Story',
];
const golfers = Array.from({ length: 24 }, (_, place) => `${'ABCDEFGHIJKLMNOPQRSTUVWX'[place]}. Quilliskell`);

function field({
  names,
  sportReference,
  name,
  reference,
  own,
  startsAt,
  at,
}: {
  names: readonly string[];
  sportReference: string;
  name: string;
  reference: string;
  own: FeedFixture['league'];
  startsAt: Date;
  at: Date;
}): FeedRace {
  const isRace = sportReference === 'horse-racing';
  return {
    ...{
      sportReference,
      league: own,
      season: '2026',
      startsAt: startsAt.toISOString(),
      startTimeKnown: true,
      name,
      reference,
      handicap: isRace,
      offAt: null,
      result: null,
    },
    markets: [
      market(
        'outright-winner',
        names.map((runner, place) => ({ key: runnerKey(runner), name: runner, odds: 3000 + 1000 * place })),
        at,
      ),
    ],
    runners: names.map((runner, place) => ({
      name: runner,
      number: isRace ? names.length - place : null,
      withdrawal:
        isRace && place === names.length - 1
          ? { at: at.toISOString(), price: { oddsThousandths: 12_000, fraction: null } }
          : null,
      startingPrice: null,
    })),
  };
}

/** The matches and races of the site, an hour after they were quoted. */
export function addTipsFixtures(now: Date): Record<TippedFixture, FeedFixture | FeedRace> {
  const at = new Date(now.getTime() - hour);
  const inHours = (hours: number) => new Date(now.getTime() + hours * hour);
  const football = league('orchard-league', 'Orchard League');
  const whoWins = (sides: Sides) => [market('match-result', results(sides, 2100), at)];
  return {
    match: fixture({
      sportReference: 'football',
      league: football,
      startsAt: inHours(matchStartsInHours),
      sides: sidesOf.match,
      markets: footballMarkets(sidesOf.match, at),
    }),
    moving: fixture({
      sportReference: 'football',
      league: football,
      startsAt: inHours(21),
      sides: sidesOf.moving,
      markets: whoWins(sidesOf.moving),
    }),
    starting: fixture({
      sportReference: 'football',
      league: football,
      startsAt: inHours(22),
      sides: sidesOf.starting,
      markets: whoWins(sidesOf.starting),
    }),
    tennis: fixture({
      ...{
        sportReference: 'tennis',
        league: league('court-tour', 'Court Tour'),
        startsAt: inHours(18),
        sides: sidesOf.tennis,
      },
      markets: [
        market(
          'moneyline',
          [
            { key: 'home', name: sidesOf.tennis.home, odds: 1700 },
            { key: 'away', name: sidesOf.tennis.away, odds: 2200 },
          ],
          at,
        ),
        market(
          'set-betting',
          ['3-0', '3-1', '3-2', '2-3', '1-3', '0-3'].map((key, place) => ({
            key,
            name: `${place < 3 ? sidesOf.tennis.home : sidesOf.tennis.away} ${key.split('-').toSorted().toReversed().join('–')}`,
            odds: 3500 + 700 * place,
          })),
          at,
        ),
      ],
    }),
    hockey: fixture({
      ...{
        sportReference: 'ice-hockey',
        league: league('kite-league', 'Kite League'),
        startsAt: inHours(19),
        sides: sidesOf.hockey,
      },
      markets: [
        market(
          'moneyline',
          [
            { key: 'home', name: sidesOf.hockey.home, odds: 1800 },
            { key: 'away', name: sidesOf.hockey.away, odds: 2050 },
          ],
          at,
          { includesOvertime: true },
        ),
      ],
    }),
    race: field({
      names: horses,
      sportReference: 'horse-racing',
      name: '14:30 Saltmarsh Downs',
      reference: 'saltmarsh-downs-1430',
      own: league('saltmarsh-downs', 'Saltmarsh Downs'),
      startsAt: inHours(17),
      at,
    }),
    golf: field({
      names: golfers,
      sportReference: 'golf',
      name: 'The Links Open',
      reference: 'the-links-open',
      own: league('links-tour', 'Links Tour'),
      startsAt: inHours(23),
      at,
    }),
  };
}

/** The match whose prices move, with one of them as it is now: its home win at a book, or nothing when it is withdrawn. */
export function movedFixture(
  now: Date,
  startsAt: string,
  bookmakerReference: string,
  oddsThousandths: number | null,
): FeedFixture {
  const price = oddsThousandths === null ? null : { oddsThousandths, fraction: null };
  const selections = [
    {
      key: 'home',
      name: sidesOf.moving.home,
      prices: [{ bookmakerReference, price, at: now.toISOString(), timeKnown: true, closing: false }],
    },
  ];
  return fixture({
    ...{
      sportReference: 'football',
      league: league('orchard-league', 'Orchard League'),
      startsAt: new Date(startsAt),
      sides: sidesOf.moving,
    },
    markets: [{ kind: 'match-result', lineHundredths: 0, period: 'full-time', includesOvertime: false, selections }],
  });
}

/** The matches and races that were made at `filledAt`, played: the home side wins two to one, three sets to one, the hockey's guests win, and the fifth horse is second. */
export function playedFixtures(filledAt: Date): (FeedFixture | FeedRace)[] {
  const { match, tennis, hockey, race } = addTipsFixtures(filledAt);
  const won = { home: 6, away: 3 };
  const order = [horses[0], horses[4], horses[2], horses[6]].map((name = '', place) => ({ position: place + 1, name }));
  return [
    { ...match, result: { home: 2, away: 1, halfTime: { home: 1, away: 0 } } } as FeedFixture,
    {
      ...tennis,
      result: { home: 3, away: 1, halfTime: null, sets: [won, { home: 4, away: 6 }, won, won] },
    } as FeedFixture,
    { ...hockey, result: { home: 1, away: 2, halfTime: null } } as FeedFixture,
    { ...race, result: { positions: order, placesKnown: 4 } } as FeedRace,
  ];
}

/** What each fixture is called. */
export const tippedNames: Record<TippedFixture, string> = {
  match: `${sidesOf.match.home} v ${sidesOf.match.away}`,
  moving: `${sidesOf.moving.home} v ${sidesOf.moving.away}`,
  starting: `${sidesOf.starting.home} v ${sidesOf.starting.away}`,
  tennis: `${sidesOf.tennis.home} v ${sidesOf.tennis.away}`,
  hockey: `${sidesOf.hockey.home} v ${sidesOf.hockey.away}`,
  race: '14:30 Saltmarsh Downs',
  golf: 'The Links Open',
};
