import type { SetSport } from './models/contests';
import type { PointsSport } from './models/points';

type Kind =
  | { model: 'goals' }
  | ({ model: 'points' } & PointsSport)
  | { model: 'frames'; target: number }
  | ({ model: 'sets' } & SetSport)
  | { model: 'bout'; draw: number }
  | {
      model: 'race';
      runners: readonly [fewest: number, most: number];
      spread: number;
      handicaps: boolean;
      numbered: boolean;
    };

/** How the demo world plays a sport: its model, who takes part, its leagues or courses, when it starts (hours of UTC) and how many fixtures a day has. */
export type DemoSport = {
  reference: string;
  kind: Kind;
  entrants: 'clubs' | 'teams' | 'players' | 'animals';
  leagues: readonly string[];
  hours: readonly [first: number, last: number];
  aDay: number;
};

const points = (
  total: number,
  totalSpread: number,
  perStrength: number,
  homeAdvantage: number,
  marginSpread: number,
  { draws = false, handicap = true } = {},
): Kind => ({ model: 'points', total, totalSpread, perStrength, homeAdvantage, marginSpread, draws, handicap });

const end = (winner: number, loser: number, probability: number) => ({ winner, loser, probability });
const gamesOfSet = [
  end(6, 0, 0.04),
  end(6, 1, 0.1),
  end(6, 2, 0.16),
  end(6, 3, 0.2),
  end(6, 4, 0.24),
  end(7, 5, 0.1),
  end(7, 6, 0.16),
];
const pointsOfSet = (target: number) => [
  end(target, target - 10, 0.1),
  end(target, target - 8, 0.15),
  end(target, target - 6, 0.2),
  end(target, target - 4, 0.22),
  end(target, target - 2, 0.21),
  end(target + 2, target, 0.12),
];

const race = (
  fewest: number,
  most: number,
  spread: number,
  more: { handicaps?: boolean; numbered?: boolean } = {},
): Kind => ({
  model: 'race',
  runners: [fewest, most],
  spread,
  handicaps: more.handicaps ?? false,
  numbered: more.numbered ?? false,
});

const rows: readonly (readonly [
  string,
  Kind,
  DemoSport['entrants'],
  readonly string[],
  readonly [number, number],
  number,
])[] = [
  [
    'football',
    { model: 'goals' },
    'clubs',
    ['Northmark Premier', 'Northmark Second Division', 'Southmere League', 'Westholm First Division'],
    [11, 19],
    5,
  ],
  [
    'horse-racing',
    race(5, 12, 0.75, { handicaps: true, numbered: true }),
    'animals',
    ['Caldermoor Downs', 'Silverlode Park', 'Eldhaven'],
    [12, 18],
    4,
  ],
  ['american-football', points(45, 12, 5, 2, 12), 'teams', ['Gridiron Association'], [17, 21], 2],
  [
    'basketball',
    points(168, 17, 5, 3, 12),
    'teams',
    ['Northmark Basketball League', 'Southmere Basketball'],
    [16, 20],
    3,
  ],
  ['baseball', points(8.6, 3.4, 0.8, 0.3, 4), 'teams', ['Harbour Baseball League'], [17, 21], 2],
  ['e-sports', { model: 'frames', target: 2 }, 'teams', ['Circuit of Lanterns'], [10, 20], 2],
  ['boxing', { model: 'bout', draw: 0.05 }, 'players', ['Northmark Boxing Board'], [19, 21], 2],
  ['cricket', points(310, 38, 9, 3, 28, { handicap: false }), 'teams', ['Twenty20 Shield'], [9, 14], 2],
  ['handball', points(56, 6, 2.2, 1.6, 5, { draws: true }), 'teams', ['Westholm Handball League'], [16, 19], 2],
  ['mma', { model: 'bout', draw: 0 }, 'players', ['Cage Circuit'], [19, 22], 2],
  ['ice-hockey', points(5.8, 2.2, 0.5, 0.3, 2.5), 'teams', ['Frostline League'], [17, 20], 2],
  ['rugby-league', points(43, 11, 5, 3, 13, { draws: true }), 'teams', ['Northmark Super Thirteen'], [13, 19], 2],
  ['rugby-union', points(47, 12, 5, 4, 13, { draws: true }), 'teams', ['Northmark Rugby Premiership'], [13, 19], 2],
  ['snooker', { model: 'frames', target: 5 }, 'players', ['Baize Masters'], [10, 18], 2],
  [
    'tennis',
    { model: 'sets', target: 2, ends: gamesOfSet, lastEnds: gamesOfSet },
    'players',
    ['Westholm Open', 'Southmere Classic'],
    [9, 18],
    4,
  ],
  ['darts', { model: 'frames', target: 6 }, 'players', ['Oche Players Tour'], [18, 21], 2],
  ['motor-racing', race(16, 16, 0.8), 'players', ['Grand Tour Series'], [12, 14], 1],
  ['golf', race(24, 24, 0.6), 'players', ['Links Tour'], [7, 9], 1],
  [
    'greyhounds',
    race(6, 6, 0.45, { numbered: true }),
    'animals',
    ['Tallowford Stadium', 'Varrowgate Stadium'],
    [11, 21],
    3,
  ],
  [
    'volleyball',
    { model: 'sets', target: 3, ends: pointsOfSet(25), lastEnds: pointsOfSet(15) },
    'teams',
    ['Southmere Volleyball League'],
    [15, 19],
    2,
  ],
];

/** The 20 enabled sports as the demo world plays them. */
export const demoSports: readonly DemoSport[] = rows.map(([reference, kind, entrants, leagues, hours, aDay]) => ({
  reference,
  kind,
  entrants,
  leagues,
  hours,
  aDay,
}));
