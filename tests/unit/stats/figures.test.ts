import fc from 'fast-check';
import { foldTips, statisticsOf } from '@/lib/stats/rules';
import { summaryOf } from '@/lib/stats/rules/figures';
import { noTotals } from '@/lib/stats/rules/totals';
import { minTipsToJudge, statisticsViewSchema } from '@/lib/stats/schema';
import { stakePlans } from '@/lib/stats/schema/rollups';
import { anyTips, record, tip } from './tips';

const month = { from: '2026-01-01T00:00:00.000Z', until: '2026-01-31T12:00:00.000Z' };
const allTime = { from: null, until: '2027-01-01T00:00:00.000Z' };

describe('statistics', () => {
  it('give every percentage with the tips it rests on and the window', () => {
    const view = statisticsOf(foldTips(record('WLLV', { clvBillionths: 25_000_000 })), month);
    expect(view).toMatchObject({ tips: 3, voids: 1, won: 1, window: month });
    expect(view.strikeRatePercent).toEqual({ value: 33.3333, count: 3, ...month });
    expect(view.clvPercent).toEqual({ value: 2.5, count: 3, ...month });
    expect(view.noVigClvPercent).toBeNull();
    expect(view.advised).toEqual({
      profitHundredths: -100,
      turnoverHundredths: 300,
      averageStakeHundredths: { value: 100, count: 3, ...month },
      yieldPercent: { value: -33.3333, count: 3, ...month },
      maxDrawdownHundredths: 200,
      profitableMonths: { profitable: 0, months: 1 },
      luckProbability: { value: 0.875, count: 3, ...month },
    });
  });

  it('weigh stakes as advised, and every part of a bet alike at level stakes', () => {
    const eachWay = tip({
      ...{
        settledSequence: 2,
        betType: 'each-way',
        oddsMillionths: 15_000_000,
        placeOddsMillionths: 3_800_000,
        stakeHundredths: 1000,
      },
      ...{
        stakedHundredths: 2000,
        profitMicrounits: 18_000_000,
        levelStakedHundredths: 200,
        levelProfitMicrounits: 1_800_000,
      },
    });
    const view = statisticsOf(foldTips([tip({ result: 'lost', stakeHundredths: 50 }), eachWay]), month);
    expect(view.advised).toMatchObject({
      profitHundredths: 1750,
      turnoverHundredths: 2050,
      averageStakeHundredths: { value: 1025 },
      yieldPercent: { value: 85.3659 },
    });
    expect(view.level).toMatchObject({
      profitHundredths: 80,
      turnoverHundredths: 300,
      averageStakeHundredths: { value: 150 },
      yieldPercent: { value: 26.6667 },
    });
    expect(view.averageOdds?.value).toBe(8.5);
  });

  it('count the closing line value over the tips whose closing price is known', () => {
    const view = statisticsOf(
      foldTips([
        tip({ clvBillionths: 10_000_000, noVigClvBillionths: -20_000_000 }),
        tip({ settledSequence: 2, clvBillionths: 20_000_000 }),
      ]),
      month,
    );
    expect([view.clvPercent, view.noVigClvPercent]).toEqual([
      { value: 1.5, count: 2, ...month },
      { value: -2, count: 1, ...month },
    ]);
  });

  it('begin all time with the first settlement', () => {
    const tips = record('WL');
    const view = statisticsOf(foldTips(tips), allTime);
    expect(view.window).toEqual({ from: tips[0]?.settledAt, until: allTime.until });
    expect([view.firstSettledAt, view.lastSettledAt]).toEqual([tips[0]?.settledAt, tips[1]?.settledAt]);
    expect(view.strikeRatePercent?.from).toBe(tips[0]?.settledAt);
  });

  it('of no tips, or of void ones alone, hold no figure', () => {
    for (const letters of ['', 'VV']) {
      const view = statisticsViewSchema.parse(statisticsOf(foldTips(record(letters)), allTime));
      expect([
        view.strikeRatePercent,
        view.averageOdds,
        view.clvPercent,
        view.advised.yieldPercent,
        view.level.luckProbability,
      ]).toEqual([null, null, null, null, null]);
      expect([view.tips, view.voids, view.tooFew, view.advised.profitHundredths]).toEqual([0, letters.length, true, 0]);
    }
    expect(statisticsOf(foldTips([]), allTime).window).toBeNull();
  });

  it('are too few to judge until as many bets stood as it takes, voids not counted', () => {
    const of = (letters: string) => summaryOf(foldTips(record(letters)).totals, month).tooFew;
    expect([
      of('W'.repeat(minTipsToJudge - 1)),
      of('W'.repeat(minTipsToJudge)),
      of(`V${'W'.repeat(minTipsToJudge - 1)}`),
    ]).toEqual([true, false, true]);
  });

  it('round once, to four decimals or to the hundredth of a unit, halves away from zero', () => {
    const [unit, units] = [
      { stakedHundredths: 100n, profitMicrounits: 0n },
      { stakedHundredths: 300n, profitMicrounits: -5_000n },
    ];
    const summary = summaryOf(
      { ...noTotals, tips: 3, won: 2, oddsMillionths: 6_000_001n, advised: units, level: units },
      month,
    );
    expect([summary.strikeRatePercent?.value, summary.averageOdds?.value, summary.advised.profitHundredths]).toEqual([
      66.6667, 2, -1,
    ]);
    expect(
      summaryOf({ ...noTotals, tips: 1, oddsMillionths: 2_000_050n, advised: unit, level: unit }, month).averageOdds
        ?.value,
    ).toBe(2.0001);
    expect(
      summaryOf({ ...noTotals, tips: 1, advised: { ...unit, profitMicrounits: -1n }, level: unit }, month).advised,
    ).toMatchObject({ profitHundredths: 0, yieldPercent: { value: -0.0001 } });
  });

  it('agree with numbers computed plainly, and are always what the schema says', () => {
    fc.assert(
      fc.property(anyTips, (tips) => {
        const view = statisticsViewSchema.parse(JSON.parse(JSON.stringify(statisticsOf(foldTips(tips), month))));
        const stood = tips.filter(({ stakedHundredths }) => stakedHundredths > 0);
        for (const plan of stakePlans) {
          const [profits, stakes] = [
            stood.map((each) => Number(plan === 'advised' ? each.profitMicrounits : each.levelProfitMicrounits) / 1e4),
            stood.map((each) => (plan === 'advised' ? each.stakedHundredths : each.levelStakedHundredths)),
          ];
          const [profit, turnover] = [profits, stakes].map((values) =>
            values.reduce((sum, value) => sum + value, 0),
          ) as [number, number];
          const expected = turnover === 0 ? 0 : (100 * profit) / turnover;
          const actual = view[plan].yieldPercent?.value ?? 0;
          expect(Math.abs(actual - expected)).toBeLessThanOrEqual(0.0001 + Math.abs(expected) * 1e-9);
        }
        expect(view.strikeRatePercent?.value ?? 0).toBeCloseTo(stood.length ? (100 * view.won) / stood.length : 0, 3);
      }),
      { seed: 88 },
    );
  });
});
