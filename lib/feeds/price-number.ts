import { type OddsReading, readDecimal } from '@/lib/odds/rules';

/** Reads decimal odds that a source gives as a number, rounded to the thousandth; a number that is no price gives a problem. */
export function readPriceNumber(odds: number): OddsReading {
  return readDecimal(odds.toFixed(3));
}
