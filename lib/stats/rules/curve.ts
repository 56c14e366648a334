import type { SettledTip, StakePlan } from '../schema/rollups';
import type { CurvePoint } from '../schema/views';
import { exactOf } from './exact';
import { hundredthsOf } from './figures';
import { totalsOf } from './totals';

/** Ours: the most points of a curve that are drawn. */
export const maxCurvePoints = 400;

/** Product §7: the profit curve of tips in the order of settlement: from 0 when the first was published, a point for each bet that stood. */
export function profitCurve(tips: readonly SettledTip[], plan: StakePlan): CurvePoint[] {
  return curveOf(tips.map((tip) => profitOf(tip, plan)));
}

/** What the curve needs of a tip. */
export function profitOf(tip: SettledTip, plan: StakePlan): Profit {
  const totals = totalsOf(tip);
  const { publishedAt, settledAt } = tip;
  return { publishedAt, settledAt, profitMicrounits: totals.tips === 0 ? null : totals[plan].profitMicrounits };
}

/** What a curve needs of a tip: `profitMicrounits` is null where the bet did not stand. */
export type Profit = { publishedAt: string; settledAt: string; profitMicrounits: bigint | null };

/** The same of profits at one plan of stakes. */
export function curveOf(profits: readonly Profit[]): CurvePoint[] {
  const [first] = profits;
  if (!first) return [];
  const points: CurvePoint[] = [{ tips: 0, at: first.publishedAt, profitHundredths: 0 }];
  let profit = 0n;
  for (const { settledAt, profitMicrounits } of profits) {
    if (profitMicrounits === null) continue;
    profit += profitMicrounits;
    points.push({ tips: points.length, at: settledAt, profitHundredths: hundredthsOf(profit) });
  }
  return points;
}

/**
 * At most `limit` (4 or more) of the points, in their order: the first, the last, and of each of equal stretches between them the lowest
 * and the highest, so that no peak or trough of the curve is lost.
 */
export function thinCurve(points: readonly CurvePoint[], limit = maxCurvePoints): CurvePoint[] {
  if (limit < 4) throw new RangeError(`A curve cannot be thinned to ${limit} points. Ask for 4 or more.`);
  if (points.length <= limit) return [...points];
  const inner = points.slice(1, -1);
  const stretches = Math.floor((limit - 2) / 2);
  const kept = Array.from({ length: stretches }, (_, stretch) => {
    const [start, end] = [stretch, stretch + 1].map((edge) => Math.floor((edge * inner.length) / stretches));
    return extremes(inner.slice(start, end));
  });
  return [...points.slice(0, 1), ...kept.flat(), ...points.slice(-1)];
}

function extremes(points: readonly CurvePoint[]): CurvePoint[] {
  const byProfit = points.toSorted((a, b) => Number(a.profitHundredths) - Number(b.profitHundredths));
  const ends = new Set([byProfit[0], byProfit.at(-1)]);
  return points.filter((point) => ends.has(point));
}

const tableRows = 20;

/** The points of a curve that stand in the table beside its drawing, about 20: at equal steps, and the last. */
export function tabledPoints(points: readonly CurvePoint[]): CurvePoint[] {
  const step = Math.max(1, Math.ceil(points.length / tableRows));
  return points.filter((_, index) => index % step === 0 || index === points.length - 1);
}

/** The part of a curve from a moment on, from 0 again: `tips` and `profitHundredths` are what that part comes to, so that it ends there though points between were left out. */
export function curveSince(
  points: readonly CurvePoint[],
  from: string,
  { tips, profitHundredths }: Pick<CurvePoint, 'tips' | 'profitHundredths'>,
): CurvePoint[] {
  const last = points.at(-1);
  if (!last || tips === 0) return [];
  const before = { tips: last.tips - tips, profit: BigInt(last.profitHundredths) - BigInt(profitHundredths) };
  const within = points.filter((point) => point.tips > before.tips);
  return [
    { tips: 0, at: from, profitHundredths: 0 },
    ...within.map((point) => ({
      ...point,
      tips: point.tips - before.tips,
      profitHundredths: exactOf(BigInt(point.profitHundredths) - before.profit),
    })),
  ];
}
