import type Fraction from 'fraction.js';
import type { Exact } from '../schema/rollups';
import { exactOf, roundedDivision } from './exact';

/** A leg's decimal odds when it was tipped and at the close, exact; `closingOdds` null when no closing price is known. */
export type ClosingLeg = { takenOdds: Fraction; closingOdds: Fraction | null };

const billion = 1_000_000_000n;

/**
 * Product §7: the closing line value of the legs that stood, in billionths: the product of the odds taken over that of the closing odds,
 * less 1; rounded once, halves away from zero. Raw against the closing prices of the bookmaker, no-vig against their fair prices
 * (`fairPrices`). Null without legs, or when a closing price is unknown.
 */
export function closingLineValue(legs: readonly ClosingLeg[]): Exact | null {
  if (legs.length === 0) return null;
  let [taken, closing] = [1n, 1n];
  for (const { takenOdds, closingOdds } of legs) {
    if (!closingOdds) return null;
    taken *= takenOdds.n * closingOdds.d;
    closing *= takenOdds.d * closingOdds.n;
  }
  return exactOf(roundedDivision((taken - closing) * billion, closing));
}
