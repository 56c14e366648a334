import fc from 'fast-check';
import { foldTips } from '@/lib/stats/rules';
import { luckProbability, maxConvolvedBets } from '@/lib/stats/rules/luck';
import { mergeRollups, rollupOf } from '@/lib/stats/rules/rollup';
import { noTotals } from '@/lib/stats/rules/totals';
import type { Rollup } from '@/lib/stats/schema/rollups';
import { record, tip } from './tips';

const seed = 7;

type Bet = { odds: number; place?: number; stake: number };

const keyOf = ({ odds, place, stake }: Bet) => (place ? `${odds}/${place}@${2 * stake}:200` : `${odds}@${stake}:100`);

/** The luck of a record of these bets (odds in millionths, stakes in hundredths) with this profit in microunits at advised stakes. */
function luckOf(bets: readonly Bet[], profitMicrounits: bigint): number {
  const counted: Rollup['bets'] = {};
  for (const bet of bets) counted[keyOf(bet)] = (counted[keyOf(bet)] ?? 0) + 1;
  const stakedHundredths = bets.reduce((sum, { place, stake }) => sum + BigInt(place ? 2 * stake : stake), 0n);
  return luckProbability(
    { bets: counted, totals: { ...noTotals, tips: bets.length, advised: { stakedHundredths, profitMicrounits } } },
    'advised',
  );
}

/** Every way the bets can end: its profit in microunits and its chance. */
function endings(bets: readonly Bet[]): { profit: bigint; chance: number }[] {
  return bets.reduce(
    (all, { odds, place, stake }) => {
      const paid = (parts: number) => (BigInt(parts) * BigInt(stake)) / 100n;
      const cost = BigInt(place ? 2 * stake : stake) * 10_000n;
      const chances: [bigint, number][] = place
        ? [
            [paid(odds + place), 1e6 / odds],
            [paid(place), 1e6 / place - 1e6 / odds],
            [0n, 1 - 1e6 / place],
          ]
        : [
            [paid(odds), 1e6 / odds],
            [0n, 1 - 1e6 / odds],
          ];
      return all.flatMap(({ profit, chance }) =>
        chances.map(([back, of]) => ({ profit: profit + back - cost, chance: chance * of })),
      );
    },
    [{ profit: 0n, chance: 1 }],
  );
}

const coarseBet = fc.record({
  odds: fc.integer({ min: 11, max: 80 }).map((odds) => odds * 100_000),
  stake: fc.constantFrom(100, 200, 300),
});
const fineBet = fc.record({
  odds: fc.integer({ min: 1_001, max: 9_000 }).map((odds) => odds * 1000),
  stake: fc.integer({ min: 10, max: 1000 }),
});
const eachWay = ({ odds, stake }: Bet): Bet => ({ odds, place: 1_000_000 + (odds - 1_000_000) / 5, stake });
const upTo6 = (bet: fc.Arbitrary<Bet>) => fc.array(fc.oneof(bet, bet.map(eachWay)), { minLength: 1, maxLength: 6 });

/** The chance of a profit of this much or more. */
const chanceOf = (all: ReturnType<typeof endings>, least: number) =>
  all.reduce((sum, { profit, chance }) => sum + (Number(profit) >= least ? chance : 0), 0);

describe('the chance that a record is luck', () => {
  it('is the chance of all endings at least as good', () => {
    fc.assert(
      fc.property(upTo6(coarseBet), fc.nat(), (bets, pick) => {
        const all = endings(bets);
        const { profit } = all[pick % all.length] as { profit: bigint };
        expect(luckOf(bets, profit)).toBeCloseTo(chanceOf(all, Number(profit)), 5);
      }),
      { seed, numRuns: 300 },
    );
  });

  it('takes profits for equal only when they differ by less than a hundredth of the standard deviation', () => {
    fc.assert(
      fc.property(upTo6(fineBet), fc.nat(), (bets, pick) => {
        const all = endings(bets);
        const mean = all.reduce((sum, { profit, chance }) => sum + Number(profit) * chance, 0);
        const deviation = Math.sqrt(
          all.reduce((sum, { profit, chance }) => sum + (Number(profit) - mean) ** 2 * chance, 0),
        );
        const { profit } = all[pick % all.length] as { profit: bigint };
        const luck = luckOf(bets, profit);
        expect(luck).toBeGreaterThanOrEqual(chanceOf(all, Number(profit) + deviation / 100) - 1e-6);
        expect(luck).toBeLessThanOrEqual(chanceOf(all, Number(profit) - deviation / 100) + 1e-6);
      }),
      { seed, numRuns: 300 },
    );
  });

  it('falls, and never rises, as the profit grows', () => {
    fc.assert(
      fc.property(
        fc.array(fineBet, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: -300, max: 300 }),
        fc.integer({ min: 0, max: 300 }),
        (bets, units, more) => {
          const [less, great] = [units, units + more].map((profit) => luckOf(bets, BigInt(profit) * 1_000_000n)) as [
            number,
            number,
          ];
          expect(great).toBeLessThanOrEqual(less + 0.001);
          expect(less >= 0 && less <= 1).toBe(true);
        },
      ),
      { seed },
    );
  });

  it('is certain for the worst ending, and for no bets at all', () => {
    expect(
      luckOf(
        [
          { odds: 2_000_000, stake: 100 },
          { odds: 31_000_000, stake: 250 },
        ],
        -3_500_000n,
      ),
    ).toBe(1);
    expect(luckProbability(foldTips([]), 'level')).toBe(1);
    expect(luckProbability(foldTips(record('VVV')), 'level')).toBe(1);
  });

  it('is never computed of totals without their bets', () => {
    expect(() => luckProbability({ ...foldTips(record('WL')), bets: {} }, 'level')).toThrow(RangeError);
  });

  it('is that of tossing coins at evens', () => {
    expect(luckProbability(foldTips(record('W'.repeat(10))), 'level')).toBe(0.000977);
    expect(luckProbability(foldTips(record('WWWWWWWWLL')), 'level')).toBe(0.054688);
    expect(luckProbability(foldTips(record('LLLLLLLLLL')), 'level')).toBe(1);
  });

  it('counts a result that equals the record when prices are not whole in decimals', () => {
    const thirds = Array.from({ length: 30 }, (_, index) => {
      const isWon = index < 24;
      const profit = (stake: number) => (isWon ? Math.round((stake * 4_000_000) / 900) : -stake * 10_000);
      return tip({
        settledSequence: index + 1,
        oddsMillionths: 1_444_444,
        stakeHundredths: 970,
        stakedHundredths: 970,
        profitMicrounits: profit(970),
        levelProfitMicrounits: profit(100),
      });
    });
    const chance = 1 / 1.444444;
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
    const expected = [24, 25, 26, 27, 28, 29, 30].reduce(
      (sum, won) => sum + choose(30, won) * chance ** won * (1 - chance) ** (30 - won),
      0,
    );
    expect(luckProbability(foldTips(thirds), 'level')).toBeCloseTo(expected, 6);
    expect(luckProbability(foldTips(thirds), 'advised')).toBeCloseTo(expected, 6);
  });

  it('takes the parts of an each-way bet as one: the win part never wins without the place part', () => {
    const bets = [{ odds: 11_000_000, place: 3_000_000, stake: 100 }];
    expect(luckOf(bets, 12_000_000n)).toBe(0.090909);
    expect(luckOf(bets, 1_000_000n)).toBe(0.333333);
    expect(luckOf(bets, -2_000_000n)).toBe(1);
  });

  it('is small where a single enormous accumulator made the record', () => {
    const winner = rollupOf(tip({ oddsMillionths: '5000000000000000000' }));
    const losers = foldTips(
      record('L'.repeat(60)).map((each) => ({ ...each, settledSequence: each.settledSequence + 1 })),
    );
    expect(luckProbability(mergeRollups(winner, losers), 'level')).toBe(0);
    expect(
      luckOf(
        [
          { odds: 1_000_000_000, stake: 100 },
          { odds: 2_000_000, stake: 100 },
        ],
        998_000_000n,
      ),
    ).toBe(0.001);
  });

  // The chances were simulated apart from this project, with 2, 2, 4 and 0.5 million repetitions; the tolerance is four of their standard errors.
  const range = (length: number) => Array.from({ length }, (_, index) => index);
  it.each([
    [
      'mixed singles',
      range(300).map((i) => ({ odds: 1_200_000 + 7_000 * i, stake: 10 + ((i * 37) % 990) })),
      150,
      0.093044,
      0.000205,
    ],
    [
      'each-way bets',
      range(200).map((i) => ({
        odds: 5_000_000 + 111_000 * i,
        place: 1_000_000 + (4_000_000 + 111_000 * i) / 5,
        stake: 50 + ((i * 29) % 200),
      })),
      120,
      0.143601,
      0.000248,
    ],
    [
      'few bets at long odds',
      range(45).map((i) => ({ odds: 50_000_000 + 1_234_000 * i, stake: 50 + ((i * 31) % 300) })),
      20,
      0.32456,
      0.000234,
    ],
    [
      'more bets than are convolved',
      range(2400).map((i) => ({ odds: 1_500_000 + 9_000 * (i % 500), stake: 10 + ((i * 37) % 990) })),
      700,
      0.066006,
      0.000351,
    ],
  ])('is that of a long simulation for %s', (_, bets, units, simulated, standardError) => {
    expect(Math.abs(luckOf(bets, BigInt(units) * 1_000_000n) - simulated)).toBeLessThan(4 * standardError);
  });

  it('hardly changes where the convolution ends', () => {
    const lucks = [maxConvolvedBets, maxConvolvedBets + 1].map((count) =>
      luckOf(
        range(count).map((i) => ({ odds: 2_000_000 + 10_000 * (i % 700), stake: 100 })),
        150_000_000n,
      ),
    );
    expect(Math.abs((lucks[0] as number) - (lucks[1] as number))).toBeLessThan(0.001);
    expect(lucks[0]).toBeGreaterThan(0.02);
  });
});
