import fc from 'fast-check';
import { foldTips, hundredthsOf, profitCurve, thinCurve, curveSince } from '@/lib/stats/rules';
import { maxCurvePoints } from '@/lib/stats/rules/curve';
import { recentForm, recentFormTips } from '@/lib/stats/rules/form';
import { type CurvePoint, recentFormSchema } from '@/lib/stats/schema';
import { anyTips, record, tip } from './tips';

describe('recent form', () => {
  it('has a letter for each of the last tips, oldest first', () => {
    const tips = record('WWLVHhE');
    const form = recentFormSchema.parse(recentForm(tips, 6));
    expect(form).toMatchObject({ letters: 'WLVWLV', window: { from: tips[1]?.settledAt, until: tips[6]?.settledAt } });
    expect(form.summary).toMatchObject({
      tips: 5,
      voids: 1,
      won: 2,
      tooFew: true,
      strikeRatePercent: { value: 40, count: 5, from: tips[1]?.settledAt },
    });
  });

  it('has all tips when there are fewer, and the last twenty unless told', () => {
    expect(recentForm(record('WL'), 10).letters).toBe('WL');
    expect(recentForm(record('L'.repeat(30) + 'W')).letters).toBe(`${'L'.repeat(recentFormTips - 1)}W`);
  });

  it('of no tips is empty', () => {
    expect(recentForm([])).toMatchObject({ letters: '', window: null, summary: { tips: 0, strikeRatePercent: null } });
    expect(recentForm(record('W'), 0).letters).toBe('');
  });
});

describe('the profit curve', () => {
  it('starts at nothing when the first tip was published and has a point for each bet that stood', () => {
    const tips = record('WVLL');
    expect(profitCurve(tips, 'advised')).toEqual([
      { tips: 0, at: tips[0]?.publishedAt, profitHundredths: 0 },
      { tips: 1, at: tips[0]?.settledAt, profitHundredths: 100 },
      { tips: 2, at: tips[2]?.settledAt, profitHundredths: 0 },
      { tips: 3, at: tips[3]?.settledAt, profitHundredths: -100 },
    ]);
    expect(profitCurve([], 'level')).toEqual([]);
  });

  it('is computed at the stakes asked for', () => {
    const tips = [
      tip({ stakeHundredths: 300, oddsMillionths: 1_333_333 }),
      tip({ settledSequence: 2, stakeHundredths: 300, oddsMillionths: 1_333_333 }),
    ];
    expect(profitCurve(tips, 'advised').map(({ profitHundredths }) => profitHundredths)).toEqual([0, 100, 200]);
    expect(profitCurve(tips, 'level').map(({ profitHundredths }) => profitHundredths)).toEqual([0, 33, 67]);
  });

  it('has the peak and the trough of the rollup', () => {
    fc.assert(
      fc.property(anyTips, (tips) => {
        const inNumbers = tips.filter(({ oddsMillionths }) => typeof oddsMillionths === 'number');
        const profits = profitCurve(inNumbers, 'level').map(({ profitHundredths }) => Number(profitHundredths));
        const { peakMicrounits, troughMicrounits } = foldTips(inNumbers).level;
        expect([Math.max(0, ...profits), Math.min(0, ...profits)]).toEqual([
          hundredthsOf(peakMicrounits),
          hundredthsOf(troughMicrounits),
        ]);
      }),
      { seed: 9 },
    );
  });
});

describe('a thinned curve', () => {
  const anyCurve = fc
    .array(fc.integer({ min: -5000, max: 5000 }), { minLength: 1, maxLength: 1500 })
    .map((values) =>
      values.map((profitHundredths, tips) => ({ tips, at: '2026-01-01T00:00:00.000Z', profitHundredths })),
    );

  it('keeps its ends, its highest and its lowest point, and the order, within the limit', () => {
    fc.assert(
      fc.property(anyCurve, fc.integer({ min: 4, max: 120 }), (points, limit) => {
        const thin = thinCurve(points, limit);
        const of = (all: readonly CurvePoint[]) => {
          const profits = all.map(({ profitHundredths }) => Number(profitHundredths));
          return [all[0], all.at(-1), Math.min(...profits), Math.max(...profits)];
        };
        expect(of(thin)).toEqual(of(points));
        expect(thin.length).toBeLessThanOrEqual(limit);
        expect(thin).toEqual(points.filter((point) => thin.includes(point)));
      }),
      { seed: 10 },
    );
  });

  it('is the curve itself when that is short enough, and uses most of its points when it is not', () => {
    const zigzag = (length: number) =>
      Array.from({ length }, (_, tips) => ({ tips, at: '2026-01-01T00:00:00.000Z', profitHundredths: tips % 2 }));
    expect(thinCurve(zigzag(maxCurvePoints))).toEqual(zigzag(maxCurvePoints));
    expect(thinCurve(zigzag(10_000))).toHaveLength(maxCurvePoints);
  });

  it('cannot have fewer than four points', () => {
    expect(() => thinCurve([], 3)).toThrow('A curve cannot be thinned to 3 points. Ask for 4 or more.');
  });
});

describe('a curve from a moment on', () => {
  const at = (day: number) => `2026-01-${String(day).padStart(2, '0')}T12:00:00.000Z`;
  const points = [0, 100, 50, 350, 300].map((profitHundredths, tips) => ({ tips, at: at(tips + 1), profitHundredths }));

  it('begins at zero and ends at what that time came to', () => {
    expect(curveSince(points, at(3), { tips: 2, profitHundredths: 250 })).toEqual([
      { tips: 0, at: at(3), profitHundredths: 0 },
      { tips: 1, at: at(4), profitHundredths: 300 },
      { tips: 2, at: at(5), profitHundredths: 250 },
    ]);
  });

  it('ends there though points before it were left out', () => {
    const thinned = points.filter(({ tips }) => tips !== 2 && tips !== 1);
    expect(curveSince(thinned, at(3), { tips: 2, profitHundredths: 250 }).at(-1)).toEqual({
      tips: 2,
      at: at(5),
      profitHundredths: 250,
    });
  });

  it('is empty without tips', () => {
    expect(curveSince(points, at(9), { tips: 0, profitHundredths: 0 })).toEqual([]);
    expect(curveSince([], at(9), { tips: 0, profitHundredths: 0 })).toEqual([]);
  });
});
