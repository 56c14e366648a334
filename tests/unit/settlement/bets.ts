import type { MarketKind } from '@/lib/fixtures/schema';
import type { EachWayTerms, Price } from '@/lib/odds/schema';
import type { LegSettlement } from '@/lib/record/schema';
import { settleTip } from '@/lib/settlement/rules';
import { settleLeg } from '@/lib/settlement/rules/leg';
import { defaultSettings } from '@/lib/settlement/rules/settings';
import type { FixtureOutcome, MatchScore, PointsScore, Raced, Runner, Tally } from '@/lib/settlement/schema/outcomes';
import type { SettlementSettings } from '@/lib/settlement/schema/settings';
import type { LegInput, LegMarket, TipInput, TipSettlement } from '@/lib/settlement/schema/tips';

export const placedAt = '2026-03-06T09:00:00.000Z';
export const startsAt = '2026-03-07T15:00:00.000Z';
export const hoursAfterStart = (hours: number): string =>
  new Date(Date.parse(startsAt) + hours * 3_600_000).toISOString();

/** Long after every window. */
export const afterwards = new Date('2026-04-30T00:00:00.000Z');

/** Decimal odds, such as 1.95. */
export const at = (odds: number): Price => ({ oddsThousandths: Math.round(odds * 1000), fraction: null });

/** Fractional odds, such as 14/1. */
export const quotedAt = (numerator: number, denominator: number): Price => ({
  oddsThousandths: Math.round((1000 * (numerator + denominator)) / denominator),
  fraction: { numerator, denominator },
});

type BetParts = Partial<Omit<LegInput, 'market' | 'selection'>> & {
  market?: Partial<Omit<LegMarket, 'kind'>>;
  participantId?: number;
};

/** A leg on a market of the kind and the selection with the key, at evens in football unless told otherwise. */
export const bet = (kind: MarketKind, key: string, { market, participantId, ...rest }: BetParts = {}): LegInput => ({
  sportReference: 'football',
  price: at(2),
  placedAt,
  startsAt,
  eachWay: null,
  ...rest,
  market: { kind, lineHundredths: 0, period: 'full-time', includesOvertime: false, listedKeys: [], ...market },
  selection: { key, participantId: participantId ?? null },
});

/** The id of the runner that the racing legs back. */
export const own = 7;

type RaceParts = { price?: Price; sportReference?: string; eachWay?: EachWayTerms; lineHundredths?: number };

/** A leg on the runner with the id `own` to win, to be among the first places by its line, or each-way. */
export const onRunner = ({ lineHundredths = 0, eachWay, ...rest }: RaceParts = {}): LegInput =>
  bet('outright-winner', `p${own}`, {
    sportReference: 'horse-racing',
    participantId: own,
    market: { lineHundredths },
    eachWay: eachWay ?? null,
    ...rest,
  });

export const terms = (
  places: number,
  denominator: number,
  basis: EachWayTerms['basis'] = 'standard',
): EachWayTerms => ({
  places,
  fraction: { numerator: 1, denominator },
  basis,
});

export const tally = (home: number, away: number): Tally => ({ home, away });

/** The score of a match without overtime. */
export const score = (home: number, away: number, parts: Partial<PointsScore> = {}): PointsScore => ({
  kind: 'points',
  halfTime: null,
  regulation: tally(home, away),
  final: tally(home, away),
  goals: null,
  absentees: [],
  ...parts,
});

export const scored = (matchScore: MatchScore, at: string = startsAt): FixtureOutcome => ({
  kind: 'scored',
  startedAt: at,
  score: matchScore,
});

/** A score in sets, each as [home, away]. */
export const sets = (...played: [number, number][]): MatchScore => ({
  kind: 'sets',
  sets: played.map(([home, away]) => tally(home, away)),
  unfinished: null,
});

export const ran = (participantId: number, position: number | null = null): Runner => ({
  participantId,
  position,
  withdrawn: null,
});

export const withdrawn = (
  participantId: number,
  numerator: number,
  denominator: number,
  withdrawnAt = hoursAfterStart(-2),
): Runner => ({
  participantId,
  position: null,
  withdrawn: { price: { numerator, denominator }, withdrawnAt },
});

/** A race in which the runner with the id `own` finished as told, `tied` sharing its position, among `numberRan`. */
export function raced(
  position: number | null,
  {
    tied = 1,
    numberRan = 8,
    handicap = false,
    others = [],
  }: { tied?: number; numberRan?: number; handicap?: boolean; others?: Runner[] } = {},
): Raced {
  const sharing = Array.from({ length: tied - 1 }, (_, index) => ran(100 + index, position));
  const ahead = Array.from({ length: (position ?? 1) - 1 }, (_, index) => ran(200 + index, index + 1));
  return {
    kind: 'raced',
    startedAt: startsAt,
    handicap,
    numberRan,
    placesKnown: numberRan,
    runners: [ran(own, position), ...sharing, ...ahead, ...others],
  };
}

type Circumstances = { settings?: Partial<SettlementSettings>; now?: Date };

export const settle = (
  leg: LegInput,
  outcome: FixtureOutcome,
  { settings, now = afterwards }: Circumstances = {},
): LegSettlement => settleLeg(leg, outcome, { ...defaultSettings, ...settings }, now);

/** The outcome of a settled leg, or why it is undecided. */
export function result(settlement: LegSettlement): string {
  return settlement.kind === 'settled' ? settlement.outcome : settlement.reason;
}

export const tip = (stake: number, ...legs: [LegInput, FixtureOutcome][]): TipInput => ({
  stakeHundredths: Math.round(stake * 100),
  legs: legs.map(([leg, outcome]) => ({ leg, outcome, settings: defaultSettings })),
});

/** A settled tip; throws when it is undecided. */
export function settled(input: TipInput, now: Date = afterwards): Extract<TipSettlement, { kind: 'settled' }> {
  const settlement = settleTip(input, now);
  if (settlement.kind !== 'settled') throw new Error('the tip is undecided');
  return settlement;
}

const rational = ({ numerator, denominator }: { numerator: string; denominator: string }) =>
  `${numerator}${denominator === '1' ? '' : `/${denominator}`}`;

/** The exact profit of a tip as text: '5/2', '-1'. */
export const profit = (input: TipInput): string => rational(settled(input).profitExact);

/** What a stake of 1 became in the win part of a settled leg, as text. */
export const factor = (settlement: LegSettlement): string =>
  settlement.kind === 'settled' ? rational(settlement.winFactor) : settlement.reason;
