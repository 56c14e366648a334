import fc from 'fast-check';
import type { SettledTip } from '@/lib/stats/schema';
import { betTypes } from '@/lib/stats/schema/rollups';

/** Twice the part of a bet that won, and twice the part that lost; what is left of the two was void. */
const results = {
  won: [2, 0],
  'half-won': [1, 0],
  level: [1, 1],
  void: [0, 0],
  'half-lost': [0, 1],
  lost: [0, 2],
} as const;

export type Result = keyof typeof results;

/** A tip that counts at none of the followers' moments. */
export const unfollowed: SettledTip['followers'] = { after5: null, after15: null, after60: null, close: null };

/** A settled single of one unit at evens, won, with what is said of it instead. */
export function tip({ result = 'won', ...said }: Partial<SettledTip> & { result?: Result } = {}): SettledTip {
  const { settledSequence = 1, stakeHundredths = 100, oddsMillionths = 2_000_000 } = said;
  const [won, lost] = results[result];
  const profit = (stake: number) =>
    (BigInt(won * stake) * (BigInt(oddsMillionths) - 1_000_000n) - BigInt(lost * stake) * 1_000_000n) / 200n;
  const exact = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value.toString());
  return {
    tipId: settledSequence,
    settledSequence,
    settledAt: new Date(Date.UTC(2026, 0, 1) + settledSequence * 3_600_000).toISOString(),
    publishedAt: '2025-12-31T09:00:00.000Z',
    firstStartsAt: '2025-12-31T15:00:00.000Z',
    stakeHundredths,
    stakedHundredths: result === 'void' ? 0 : stakeHundredths,
    profitMicrounits: exact(profit(stakeHundredths)),
    levelStakedHundredths: result === 'void' ? 0 : 100,
    levelProfitMicrounits: exact(profit(100)),
    oddsMillionths,
    placeOddsMillionths: null,
    sportId: 1,
    leagueId: 1,
    bookmakerId: 1,
    betType: 'match-result',
    clvBillionths: null,
    noVigClvBillionths: null,
    followers: unfollowed,
    ...said,
  };
}

/** One tip a letter: W a win, L a loss, V void, H half won, h half lost, E level; all of one unit at evens. */
export function record(letters: string, said: Partial<SettledTip> = {}): SettledTip[] {
  const named: Record<string, Result> = { W: 'won', L: 'lost', V: 'void', H: 'half-won', h: 'half-lost', E: 'level' };
  return [...letters].map((letter, index) => tip({ ...said, settledSequence: index + 1, result: named[letter] }));
}

const moment = fc
  .integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2026, 11, 31) })
  .map((time) => new Date(time).toISOString());
const idOrNull = fc.option(fc.integer({ min: 1, max: 4 }));
const value = fc.option(fc.integer({ min: -500_000_000, max: 2_000_000_000 }));

const followed = fc.option(
  fc.record({
    stillThere: fc.boolean(),
    profitMicrounits: fc.integer({ min: -20_000_000, max: 50_000_000 }),
    levelProfitMicrounits: fc.integer({ min: -2_000_000, max: 5_000_000 }),
  }),
);

const said = fc.record({
  result: fc.constantFrom(...(Object.keys(results) as Result[])),
  publishedAt: moment,
  firstStartsAt: moment,
  stakeHundredths: fc.integer({ min: 10, max: 1000 }),
  oddsMillionths: fc.oneof(
    fc.integer({ min: 1_001_000, max: 30_000_000 }),
    fc.constant('123456789012345678901234567890'),
  ),
  sportId: idOrNull,
  leagueId: idOrNull,
  bookmakerId: idOrNull,
  betType: fc.constantFrom(...betTypes),
  clvBillionths: value,
  noVigClvBillionths: value,
  followers: fc.record({ after5: followed, after15: followed, after60: followed, close: followed }),
});

/** Any tips, in the order of their settlement. */
export const anyTips = fc
  .array(said, { maxLength: 60 })
  .map((all) =>
    all.map((each, index) =>
      tip({ ...each, followers: each.result === 'void' ? unfollowed : each.followers, settledSequence: 3 * index + 1 }),
    ),
  );
