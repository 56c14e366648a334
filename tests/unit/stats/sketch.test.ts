import { TimeRange } from '@/lib/reference/schema';
import {
  type BucketCount,
  type DayProfit,
  namedSpeciality,
  sketchCurves,
  specialityOf,
} from '@/lib/stats/rules/sketch';
import { sketchParts } from '@/lib/stats/schema/sketches';

const now = new Date('2026-03-11T12:00:00.000Z');
const day = (date: string, tips: number, advised: number, level = advised): DayProfit => ({
  day: date,
  tips,
  advised: advised * 1_000_000,
  level: level * 1_000_000,
});

describe('the curves of a record', () => {
  it('begin at zero and end at the profit of each time range, at both stakes', () => {
    const curves = sketchCurves(
      [day('2025-01-10', 2, -3), day('2026-03-01', 1, 1, 0.5), day('2026-03-11', 1, 2.25)],
      now,
    );
    expect(curves[TimeRange.allTime]).toEqual({ advised: [0, -300, -200, 25], level: [0, -300, -250, -25] });
    expect(curves[TimeRange.year]).toEqual({ advised: [0, 100, 325], level: [0, 50, 275] });
    expect(curves[TimeRange.day]).toEqual({ advised: [0, 225], level: [0, 225] });
  });

  it('are left out where there is no tip', () => {
    expect(Object.keys(sketchCurves([day('2025-01-10', 2, -3)], now))).toEqual([String(TimeRange.allTime)]);
    expect(sketchCurves([day('2026-03-11', 0, 0)], now)).toEqual({});
  });

  it('have one point for each equal part of the tips at most', () => {
    const days = Array.from({ length: 300 }, (_, index) =>
      day(new Date(Date.UTC(2025, 4, 1) + index * 86_400_000).toISOString().slice(0, 10), 1, 1),
    );
    const curve = sketchCurves(days, now)[TimeRange.year]?.advised ?? [];
    expect(curve).toHaveLength(sketchParts + 1);
    expect(curve.at(-1)).toBe(30_000);
  });
});

describe('what a record is mostly on', () => {
  const buckets = (...given: [BucketCount['kind'], string, number][]) =>
    given.map(([kind, key, tips]) => ({ kind, key, tips }));

  it('is the narrowest that half its tips are in', () => {
    const football = buckets(['sport', '1', 18], ['sport', '2', 2], ['league', '7', 12], ['bet-type', 'total', 20]);
    expect(specialityOf(football)).toEqual({ kind: 'league', key: '7', tips: 12, of: 20 });
    expect(specialityOf(football.map((own) => (own.kind === 'league' ? { ...own, tips: 9 } : own)))).toMatchObject({
      kind: 'sport',
      tips: 18,
    });
  });

  it('is a bet type where the sports are many, and nothing where that is spread too', () => {
    const many = buckets(
      ['sport', '1', 4],
      ['sport', '2', 4],
      ['sport', '3', 4],
      ['bet-type', 'accumulator', 7],
      ['bet-type', 'total', 5],
    );
    expect(specialityOf(many)).toEqual({ kind: 'bet-type', key: 'accumulator', tips: 7, of: 12 });
    expect(specialityOf(many.map((own) => (own.kind === 'bet-type' ? { ...own, tips: 5 } : own)))).toBeNull();
  });

  it('is never "several" leagues, and is not said of fewer than ten tips', () => {
    expect(specialityOf(buckets(['sport', '1', 20], ['league', 'several', 20]))).toMatchObject({ kind: 'sport' });
    expect(specialityOf(buckets(['sport', '1', 9]))).toBeNull();
    expect(specialityOf([])).toBeNull();
  });

  it('is named as the breakdowns name it', () => {
    const of = { tips: 12, of: 20 };
    expect(namedSpeciality({ kind: 'sport', key: '2', ...of }, null)).toEqual({
      kind: 'sport',
      label: 'Horse racing',
      ...of,
    });
    expect(namedSpeciality({ kind: 'bet-type', key: 'accumulator', ...of }, null)?.label).toBe('Accumulator');
    expect(namedSpeciality({ kind: 'league', key: '7', ...of }, 'Premier League')?.label).toBe('Premier League');
    expect(namedSpeciality({ kind: 'league', key: '7', ...of }, null)).toBeNull();
  });
});
