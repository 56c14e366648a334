import type { OddsFraction } from '@/lib/odds/schema';
import type { Runner } from '../schema/outcomes';

// Settlement §4: the price from which each deduction holds, from the longest; a price over 14/1 costs nothing, one under 2/17 costs 90.
const bands: readonly (readonly [numerator: number, denominator: number, pence: number])[] = [
  [10, 1, 5],
  [6, 1, 10],
  [9, 2, 15],
  [10, 3, 20],
  [5, 2, 25],
  [15, 8, 30],
  [13, 8, 35],
  [5, 4, 40],
  [1, 1, 45],
  [5, 6, 50],
  [4, 6, 55],
  [4, 7, 60],
  [4, 9, 65],
  [1, 3, 70],
  [2, 7, 75],
  [1, 5, 80],
  [2, 17, 85],
];

/** Settlement §4: the largest deduction, of one withdrawal or of several together. */
export const maxDeductionPence = 90;

/** Settlement §4: the Rule 4 deduction for one withdrawal in pence in the pound of winnings, by the winnings over the stake quoted against it, compared exactly. */
export function deductionPence({ numerator, denominator }: OddsFraction): number {
  if (numerator > 14 * denominator) return 0;
  const band = bands.find(([over, under]) => numerator * under >= over * denominator);
  return band ? band[2] : maxDeductionPence;
}

/** Settlement §4: the deduction from a bet struck at `placedAt`: that of all later withdrawals together, at most 90; null when the price of one of them is not known. */
export function totalDeductionPence(runners: readonly Runner[], placedAt: string): number | null {
  const struckAt = Date.parse(placedAt);
  const later = runners.flatMap(({ withdrawn }) =>
    withdrawn && Date.parse(withdrawn.withdrawnAt) > struckAt ? [withdrawn.price] : [],
  );
  return later.reduce<number | null>(
    (total, price) =>
      total === null || price === null ? null : Math.min(total + deductionPence(price), maxDeductionPence),
    0,
  );
}
