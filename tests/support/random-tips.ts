import type { MarketKind } from '@/lib/fixtures/schema';
import type { EachWayTerms, Price } from '@/lib/odds/schema';
import type {
  FixtureOutcome,
  MatchScore,
  PointsScore,
  Raced,
  Runner,
  SetsScore,
  Tally,
} from '@/lib/settlement/schema/outcomes';
import type { SettlementSettings } from '@/lib/settlement/schema/settings';
import type { LegInput, TipInput } from '@/lib/settlement/schema/tips';

/** Numbers that seem random and are the same for the same seed (mulberry32): each at least 0 and less than 1. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

const whole = (random: Random, from: number, to: number) => from + Math.floor(random() * (to - from + 1));
const chance = (random: Random, probability: number) => random() < probability;

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

const start = Date.parse('2026-03-07T15:00:00.000Z');
const moment = (hours: number) => new Date(start + hours * 3_600_000).toISOString();
const startsAt = moment(0);

const quoted = [
  '1/10',
  '2/17',
  '2/11',
  '1/5',
  '2/7',
  '1/3',
  '2/5',
  '4/9',
  '8/15',
  '4/7',
  '8/13',
  '4/6',
  '4/5',
  '5/6',
  '10/11',
  '20/21',
  '1/1',
  '6/5',
  '5/4',
  '6/4',
]
  .concat([
    '13/8',
    '7/4',
    '15/8',
    '9/4',
    '5/2',
    '3/1',
    '10/3',
    '4/1',
    '9/2',
    '11/2',
    '6/1',
    '9/1',
    '10/1',
    '14/1',
    '15/1',
    '28/1',
    '66/1',
  ])
  .map((text) => {
    const [numerator = 1, denominator = 1] = text.split('/').map(Number);
    return { numerator, denominator };
  });

function priceFrom(random: Random): Price {
  if (chance(random, 0.4)) {
    const fraction = pick(random, quoted);
    return { oddsThousandths: 1000 + Math.round((1000 * fraction.numerator) / fraction.denominator), fraction };
  }
  return {
    oddsThousandths: chance(random, 0.05) ? whole(random, 1001, 1_000_000) : whole(random, 1010, 12_000),
    fraction: null,
  };
}

function settingsFrom(random: Random): SettlementSettings {
  return {
    retirementRule: pick(random, ['complete', 'one-set', 'progress']),
    postponementHours: pick(random, [0, 12, 48, 48, 240]),
    rule4MinimumPence: pick(random, [5, 10]),
  };
}

const startedAt = (random: Random) => moment(chance(random, 0.85) ? 0 : pick(random, [-3, 12, 47, 48, 49]));

const results = ['home', 'draw', 'away'];
const sides = ['home', 'away'];
const scores = ['0-0', '1-0', '0-1', '1-1', '2-1', '1-2', '2-2', '3-1'];

type ScoreKind = Exclude<MarketKind, 'outright-winner'>;

const keysByKind: Record<ScoreKind, readonly string[]> = {
  'match-result': results,
  'double-chance': ['home-draw', 'home-away', 'draw-away'],
  'draw-no-bet': sides,
  total: ['over', 'under'],
  'asian-handicap': sides,
  'european-handicap': results,
  'both-teams-to-score': ['yes', 'no'],
  'correct-score': [...scores, 'other'],
  'half-time-full-time': results.flatMap((half) => results.map((full) => `${half}/${full}`)),
  moneyline: sides,
  'set-betting': ['2-0', '2-1', '1-2', '0-2', '3-1'],
  scorer: ['p1', 'p2', 'p3'],
};

const kinds = Object.keys(keysByKind) as ScoreKind[];
const neverHalfTime: readonly ScoreKind[] = ['half-time-full-time', 'set-betting'];

function lineFrom(random: Random, kind: ScoreKind, most: number): number {
  // Lines on which few goals make the difference, and sometimes any.
  const reach = chance(random, 0.8) ? Math.min(most, 4) : most;
  if (kind === 'total') return 25 * whole(random, 0, 5 * reach);
  if (kind === 'asian-handicap') return 25 * whole(random, -2 * reach, 2 * reach);
  return kind === 'european-handicap' ? 100 * whole(random, -3, 3) : 0;
}

const sum = (a: Tally, b: Tally): Tally => ({ home: a.home + b.home, away: a.away + b.away });
const tallyFrom = (random: Random, most: number): Tally => ({
  home: whole(random, 0, most),
  away: whole(random, 0, most),
});

function pointsFrom(random: Random, most: number, isCut: boolean): PointsScore {
  const halfTime = tallyFrom(random, most / 2);
  const regulation = sum(halfTime, tallyFrom(random, most / 2));
  const hasHalf = chance(random, isCut ? 0.6 : 0.95);
  return {
    kind: 'points',
    halfTime: hasHalf ? halfTime : null,
    regulation: chance(random, isCut ? 0.15 : 0.97) ? regulation : null,
    final: chance(random, 0.15) ? sum(regulation, tallyFrom(random, 1)) : regulation,
    goals: chance(random, 0.1)
      ? null
      : Array.from({ length: whole(random, 0, 3) }, () => ({
          scorer: `p${whole(random, 1, 2)}`,
          ownGoal: chance(random, 0.15),
          period: pick(random, ['first-half', 'second-half', 'overtime']),
        })),
    absentees: chance(random, 0.3) ? ['p3'] : [],
  };
}

function setFrom(random: Random): Tally {
  const loser = whole(random, 0, 6);
  const winner = loser > 4 ? 7 : 6;
  return chance(random, 0.5) ? { home: winner, away: loser } : { home: loser, away: winner };
}

const setsFrom = (random: Random, isCut: boolean): SetsScore => ({
  kind: 'sets',
  sets: Array.from({ length: whole(random, isCut ? 0 : 2, 3) }, () => setFrom(random)),
  unfinished: isCut && chance(random, 0.7) ? tallyFrom(random, 5) : null,
});

const sportsByMost: readonly [sportReference: string, most: number][] = [
  ['football', 4],
  ['football', 4],
  ['ice-hockey', 4],
  ['basketball', 60],
  ['tennis', 24],
];

function matchOutcome(random: Random, isInSets: boolean, scoreOf: (isCut: boolean) => MatchScore): FixtureOutcome {
  const what = random();
  if (what < 0.72) return { kind: 'scored', startedAt: startedAt(random), score: scoreOf(false) };
  if (what < 0.84) {
    const resumed = chance(random, 0.4)
      ? { resumedAt: moment(pick(random, [2, 20, 49, 60])), score: scoreOf(false) }
      : null;
    return {
      kind: 'abandoned',
      startedAt: startedAt(random),
      abandonedAt: moment(1),
      score: chance(random, 0.9) ? scoreOf(true) : null,
      resumed,
    };
  }
  if (isInSets && what < 0.94)
    return {
      kind: 'retired',
      startedAt: startedAt(random),
      goesThrough: pick(random, ['home', 'away']),
      score: setsFrom(random, true),
    };
  if (what < 0.9) return { kind: 'scored', startedAt: startedAt(random), score: scoreOf(false) };
  return pick<FixtureOutcome>(random, [
    { kind: 'postponed' },
    { kind: 'awaiting-result', startsAt: startedAt(random) },
    { kind: 'walkover' },
    { kind: 'sides-switched' },
    { kind: 'not-started', participantId: 1 },
  ]);
}

type Settling = TipInput['legs'][number];

function matchLeg(random: Random): Settling {
  const [sportReference, most] = pick(random, sportsByMost);
  const kind = chance(random, 0.3) ? pick(random, ['total', 'asian-handicap'] as const) : pick(random, kinds);
  const key = pick(random, keysByKind[kind]);
  const leg: LegInput = {
    sportReference,
    price: priceFrom(random),
    market: {
      kind,
      lineHundredths: lineFrom(random, kind, most),
      period: !neverHalfTime.includes(kind) && chance(random, 0.15) ? 'half-time' : 'full-time',
      includesOvertime: chance(random, 0.3),
      listedKeys:
        kind === 'correct-score' && (key === 'other' || chance(random, 0.9))
          ? [...new Set([...scores.slice(0, whole(random, 1, 8)), key, 'other'])]
          : [],
    },
    selection: { key, participantId: null },
    placedAt: moment(-30),
    startsAt,
    eachWay: null,
  };
  const isInSets = sportReference === 'tennis';
  const scoreOf = (isCut: boolean) => (isInSets ? setsFrom(random, isCut) : pointsFrom(random, most, isCut));
  return { leg, outcome: matchOutcome(random, isInSets, scoreOf), settings: settingsFrom(random) };
}

function withdrawnFrom(random: Random, participantId: number): Runner {
  const price = chance(random, 0.03) ? null : pick(random, quoted);
  return {
    participantId,
    position: null,
    withdrawn: { price, withdrawnAt: moment(pick(random, [-40, -30, -20, -1])) },
  };
}

/** A field in the order of finishing, with ties; from some position on nobody's is told. */
function raceFrom(random: Random, field: number): Raced {
  const told = chance(random, 0.1) ? 1 : whole(random, Math.min(field, 4), field);
  const runners: Runner[] = [];
  while (runners.length < field) {
    const position = runners.length + 1;
    const tied = Math.min(field - runners.length, chance(random, 0.75) ? 1 : whole(random, 2, 5));
    for (let index = 0; index < tied; index += 1)
      runners.push({
        participantId: runners.length + 1,
        position: position <= told ? position : null,
        withdrawn: null,
      });
  }
  const withdrawn = Array.from({ length: chance(random, 0.5) ? 0 : whole(random, 1, 3) }, (_, index) =>
    withdrawnFrom(random, field + 1 + index),
  );
  return {
    kind: 'raced',
    startedAt: startedAt(random),
    handicap: chance(random, 0.5),
    numberRan: field + (chance(random, 0.05) ? whole(random, 1, 5) : 0),
    placesKnown: told,
    runners: [...runners, ...withdrawn],
  };
}

const termsFrom = (random: Random): EachWayTerms => ({
  places: whole(random, 1, 6),
  fraction: { numerator: 1, denominator: whole(random, 3, 6) },
  basis: pick(random, ['standard', 'standard', 'fixed']),
});

function raceLeg(random: Random, isEachWay: boolean): Settling {
  const sportReference = pick(random, ['horse-racing', 'horse-racing', 'greyhounds', 'golf', 'motor-racing']);
  const race = raceFrom(random, whole(random, 1, chance(random, 0.7) ? 20 : 6));
  const participantId = chance(random, 0.6)
    ? whole(random, 1, Math.min(5, race.numberRan))
    : whole(random, 1, race.runners.length + (chance(random, 0.05) ? 1 : 0));
  const outcome = chance(random, 0.94) ? race : matchOutcome(random, false, (isCut) => pointsFrom(random, 4, isCut));
  const leg: LegInput = {
    sportReference,
    price: priceFrom(random),
    market: {
      kind: 'outright-winner',
      lineHundredths: !isEachWay && chance(random, 0.2) ? 100 * whole(random, 2, 10) : 0,
      period: 'full-time',
      includesOvertime: false,
      listedKeys: [],
    },
    selection: { key: `p${participantId}`, participantId },
    placedAt: moment(-30),
    startsAt,
    eachWay: isEachWay ? termsFrom(random) : null,
  };
  return { leg, outcome, settings: settingsFrom(random) };
}

/** A tip as anything may happen to it, and the moment at which it is settled: singles, accumulators and each-way, on every kind of market. */
export function randomTip(random: Random): { tip: TipInput; now: Date } {
  const isEachWay = chance(random, 0.3);
  const legs = chance(random, 0.55) ? 1 : whole(random, 2, chance(random, 0.2) ? 12 : 4);
  const settling = Array.from({ length: legs }, () =>
    isEachWay || chance(random, 0.35) ? raceLeg(random, isEachWay) : matchLeg(random),
  );
  return {
    tip: { stakeHundredths: whole(random, 1, 1000), legs: settling },
    now: new Date(moment(pick(random, [0, 5, 48, 49, 50, 400]))),
  };
}
