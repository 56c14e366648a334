import type { Exact } from '../schema/rollups';

/** The integer nearest to a ratio with a positive denominator, halves away from zero. */
export function roundedDivision(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const quotient = (2n * magnitude + denominator) / (2n * denominator);
  return numerator < 0n ? -quotient : quotient;
}

/** A bigint as a number where that is exact, else as its digits. */
export function exactOf(whole: bigint): Exact {
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole.toString();
}
