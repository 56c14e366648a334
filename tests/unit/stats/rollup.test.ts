import fc from 'fast-check';
import { z } from 'zod';
import { foldTips, mergeAllRollups, statisticsOf } from '@/lib/stats/rules';
import { emptyRollup, mergeRollups, rollupOf } from '@/lib/stats/rules/rollup';
import { mergeTotals, noTotals, totalsOf } from '@/lib/stats/rules/totals';
import type { SettledTip } from '@/lib/stats/schema';
import { type Rollup, rollupSchema, settledTipSchema, stakePlans } from '@/lib/stats/schema/rollups';
import { anyTips, record, tip } from './tips';

const seed = 4501;
const addTip = (rollup: Rollup, next: SettledTip) => mergeRollups(rollup, rollupOf(next));
const allTime = { from: null, until: '2027-01-01T00:00:00.000Z' };

/** Drawdown and losing run by walking the tips one by one, without merging anything. */
function walk(tips: readonly SettledTip[], plan: 'advised' | 'level') {
  const walked = { equity: 0n, peak: 0n, trough: 0n, drawdown: 0n, run: 0, longest: 0 };
  for (const { stakedHundredths, profitMicrounits, levelProfitMicrounits } of tips) {
    if (stakedHundredths === 0) continue;
    const profit = BigInt(plan === 'advised' ? profitMicrounits : levelProfitMicrounits);
    walked.equity += profit;
    if (walked.equity > walked.peak) walked.peak = walked.equity;
    if (walked.equity < walked.trough) walked.trough = walked.equity;
    if (walked.peak - walked.equity > walked.drawdown) walked.drawdown = walked.peak - walked.equity;
    walked.run = BigInt(profitMicrounits) < 0n ? walked.run + 1 : 0;
    walked.longest = Math.max(walked.longest, walked.run);
  }
  return walked;
}

describe('a rollup', () => {
  it('is the same when folded at once and when tips are added one by one', () => {
    fc.assert(
      fc.property(anyTips, (tips) => expect(tips.reduce(addTip, emptyRollup)).toEqual(foldTips(tips))),
      { seed },
    );
  });

  it('is the same from any two parts, and from three in either grouping', () => {
    fc.assert(
      fc.property(anyTips, fc.nat(60), fc.nat(60), (tips, one, other) => {
        const [first, second] = [Math.min(one, other), Math.max(one, other)];
        const [a, b, c] = [tips.slice(0, first), tips.slice(first, second), tips.slice(second)].map(foldTips) as [
          Rollup,
          Rollup,
          Rollup,
        ];
        expect(mergeRollups(mergeRollups(a, b), c)).toEqual(foldTips(tips));
        expect(mergeRollups(a, mergeRollups(b, c))).toEqual(foldTips(tips));
      }),
      { seed },
    );
  });

  it('of days is that of their tips', () => {
    fc.assert(
      fc.property(anyTips, fc.integer({ min: 1, max: 9 }), (tips, perDay) => {
        const days = Array.from({ length: Math.ceil(tips.length / perDay) }, (_, day) =>
          foldTips(tips.slice(day * perDay, (day + 1) * perDay)),
        );
        expect(mergeAllRollups(days)).toEqual(foldTips(tips));
      }),
      { seed },
    );
  });

  it('has the drawdown, the peak, the profit and the losing run of a walk over the tips', () => {
    fc.assert(
      fc.property(anyTips, (tips) => {
        const rollup = foldTips(tips);
        for (const plan of stakePlans) {
          const { equity, peak, trough, drawdown, run, longest } = walk(tips, plan);
          expect(rollup.totals[plan].profitMicrounits).toBe(equity);
          expect(rollup[plan]).toEqual({
            peakMicrounits: peak,
            troughMicrounits: trough,
            drawdownMicrounits: drawdown,
          });
          expect([rollup.losingRun.longest, rollup.losingRun.trailing]).toEqual([longest, run]);
        }
      }),
      { seed },
    );
  });

  it('adds up its months and counts each bet that stood', () => {
    fc.assert(
      fc.property(anyTips, (tips) => {
        const { totals, months, bets } = foldTips(tips);
        const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n);
        expect(sum(Object.values(months).map(({ advisedMicrounits }) => advisedMicrounits))).toBe(
          totals.advised.profitMicrounits,
        );
        expect(sum(Object.values(months).map(({ levelMicrounits }) => levelMicrounits))).toBe(
          totals.level.profitMicrounits,
        );
        expect(Object.values(bets).reduce((total, count) => total + count, 0)).toBe(totals.tips);
        expect(totals.tips + totals.voids).toBe(tips.length);
      }),
      { seed },
    );
  });

  it('comes back from its JSON as it was', () => {
    fc.assert(
      fc.property(anyTips, (tips) => {
        const rollup = foldTips(tips);
        expect(rollupSchema.parse(JSON.parse(JSON.stringify(z.encode(rollupSchema, rollup))))).toEqual(rollup);
      }),
      { seed },
    );
  });

  it('refuses a tip that was settled before one it holds, or twice', () => {
    const tips = record('WLW');
    expect(() => addTip(foldTips(tips), tips[1] as SettledTip)).toThrow(
      'Settlement 2 does not come after 3. Fold the tips again, in the order of their settlement.',
    );
    expect(() => addTip(foldTips(tips), tips[2] as SettledTip)).toThrow(RangeError);
    expect(() => foldTips(tips.toReversed())).toThrow(RangeError);
  });

  it('keeps the first and the last settlement, void ones too', () => {
    const tips = record('VWV');
    expect(foldTips(tips).span).toEqual({
      firstSequence: 1,
      lastSequence: 3,
      firstSettledAt: tips[0]?.settledAt,
      lastSettledAt: tips[2]?.settledAt,
    });
    expect(emptyRollup.span).toBeNull();
  });

  it('keeps sums exact where numbers would not be', () => {
    const odds = '123456789012345678901234567890';
    const { totals } = foldTips([tip({ oddsMillionths: odds }), tip({ settledSequence: 2, result: 'lost' })]);
    expect(totals.oddsMillionths).toBe(BigInt(odds) + 2_000_000n);
    expect(totals.level.profitMicrounits).toBe(BigInt(odds) - 2_000_000n);
    const view = statisticsOf(foldTips([tip({ oddsMillionths: odds })]), allTime);
    expect(view.level.profitHundredths).toBe('12345678901234567890123357');
  });
});

describe('totals', () => {
  it('are the same in whichever order and grouping the tips come', () => {
    fc.assert(
      fc.property(
        anyTips.chain((tips) => fc.tuple(fc.constant(tips), fc.shuffledSubarray(tips, { minLength: tips.length }))),
        ([tips, shuffled]) => {
          const totals = shuffled.map(totalsOf).reduce(mergeTotals, noTotals);
          expect(totals).toEqual(foldTips(tips).totals);
          const [half, rest] = [shuffled.slice(0, shuffled.length / 2), shuffled.slice(shuffled.length / 2)];
          expect(
            mergeTotals(
              half.map(totalsOf).reduce(mergeTotals, noTotals),
              rest.map(totalsOf).reduce(mergeTotals, noTotals),
            ),
          ).toEqual(totals);
        },
      ),
      { seed },
    );
  });

  it('of a void tip are nothing but that it was void, whatever its odds and closing price', () => {
    expect(totalsOf(tip({ result: 'void', clvBillionths: 5, noVigClvBillionths: 5 }))).toEqual({
      ...noTotals,
      voids: 1,
    });
  });

  it('count a tip as won when it made a profit, half-won ones and places too', () => {
    const won = (letters: string) => foldTips(record(letters)).totals.won;
    expect([won('W'), won('H'), won('h'), won('L'), won('E'), won('V')]).toEqual([1, 1, 0, 0, 0, 0]);
  });
});

describe('a losing run', () => {
  const runOf = (letters: string) => foldTips(record(letters)).losingRun;

  it.each([
    ['', 0, 0],
    ['LLL', 3, 3],
    ['WLLWLLL', 3, 3],
    ['LLLWL', 3, 1],
    ['LVLVL', 3, 3],
    ['LVW', 1, 0],
    ['LhL', 3, 3],
    ['LEL', 1, 1],
    ['LHLL', 2, 2],
  ])(
    'of %j is at its longest %i and now %i: voids neither break nor lengthen it, every other return of the stake breaks it',
    (letters, longest, now) => {
      expect(runOf(letters)).toMatchObject({ longest, trailing: now });
    },
  );
});

describe('drawdown', () => {
  it.each([
    ['', 0],
    ['WWW', 0],
    ['LLW', 2],
    ['WWLLLW', 3],
    ['WLLWWWLLL', 3],
    ['WLLWLL', 3],
  ])('of %j is %i units, from the start at zero or from a peak', (letters, units) => {
    expect(statisticsOf(foldTips(record(letters)), allTime).advised.maxDrawdownHundredths).toBe(units * 100);
  });
});

describe('a settled tip', () => {
  it('is read as it is written', () => {
    expect(settledTipSchema.parse(tip())).toEqual(tip());
  });

  it.each([
    [
      'a void stake with a level stake',
      { stakedHundredths: 0, profitMicrounits: 0, levelProfitMicrounits: 0 },
      'levelStakedHundredths',
    ],
    ['a profit of a void tip', { stakedHundredths: 0, levelStakedHundredths: 0 }, 'profitMicrounits'],
    ['place odds longer than the odds to win', { placeOddsMillionths: 2_000_001 }, 'placeOddsMillionths'],
    ['odds of one', { oddsMillionths: 1_000_000 }, 'oddsMillionths'],
    ['a profit with decimals', { profitMicrounits: 0.5 }, 'profitMicrounits'],
    ['a profit in text with a leading zero', { profitMicrounits: '01' }, 'profitMicrounits'],
    ['a moment without milliseconds', { settledAt: '2026-01-01T00:00:00Z' }, 'settledAt'],
    ['a bet type of its own', { betType: 'sure-thing' }, 'betType'],
  ])('is refused with %s', (_, wrong, field) => {
    const parsed = settledTipSchema.safeParse({ ...tip(), ...wrong });
    expect(parsed.error?.issues.map(({ path }) => path[0])).toContain(field);
  });

  it('makes a rollup that the schema takes', () => {
    const eachWay = tip({
      betType: 'each-way',
      oddsMillionths: 15_000_000,
      placeOddsMillionths: 3_800_000,
      stakedHundredths: 200,
      levelStakedHundredths: 200,
    });
    expect(Object.keys(rollupSchema.parse(z.encode(rollupSchema, rollupOf(eachWay))).bets)).toEqual([
      '15000000/3800000@200:200',
    ]);
  });
});
