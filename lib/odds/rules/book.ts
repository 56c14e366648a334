import Fraction from 'fraction.js';
import type { Price } from '../schema/price';
import { longestTotalThousandths } from './write-odds';

// Many tips are made at the same prices.
const mostDecimals = 5_000;
const decimals = new Map<number, Fraction>();

function decimalOdds(thousandths: number): Fraction {
  const known = decimals.get(thousandths);
  if (known) return known;
  if (decimals.size === mostDecimals) decimals.clear();
  const odds = new Fraction(thousandths, 1000);
  decimals.set(thousandths, odds);
  return odds;
}

/** Settlement §1, §4: the decimal odds of a price as an exact rational; of a quoted fraction 1 + numerator/denominator. */
export function exactOdds({ oddsThousandths, fraction }: Price): Fraction {
  return fraction
    ? new Fraction(fraction.numerator + fraction.denominator, fraction.denominator)
    : decimalOdds(oddsThousandths);
}

/** Settlement §1: the product of prices in thousandths, exact until it is rounded once; `longestTotalThousandths` where it is that or more. */
export function totalOddsThousandths(prices: readonly Price[]): number {
  const product = prices.reduce((total, price) => total.mul(exactOdds(price)), new Fraction(1000)).round();
  return product.gte(longestTotalThousandths) ? longestTotalThousandths : product.valueOf();
}

function bookSum(prices: readonly (Price | null)[]): Fraction | null {
  if (prices.length === 0) return null;
  return prices.reduce<Fraction | null>(
    (sum, price) => sum && price && sum.add(exactOdds(price).inverse()),
    new Fraction(0),
  );
}

/**
 * Product §4: the overround of a market in per cent, to two decimals: the sum of the inverse odds, over the number of selections that win (2 for a
 * double chance), less 1; negative when the book can be beaten, null unless every selection has a price.
 */
export function overround(prices: readonly (Price | null)[], winners = 1): number | null {
  return bookSum(prices)?.div(winners).sub(1).mul(100).round(2).valueOf() ?? null;
}

/**
 * Product §7: the no-vig decimal odds of each selection, exact, in the order given. Ours: by the proportional method,
 * which multiplies all odds by the one factor that makes the book fair; null unless every selection has a price, and
 * when the method would leave a selection nothing to win.
 */
export function fairPrices(prices: readonly (Price | null)[], winners = 1): Fraction[] | null {
  const factor = bookSum(prices)?.div(winners);
  if (!factor) return null;
  const fair = prices.flatMap((price) => (price ? [exactOdds(price).mul(factor)] : []));
  return fair.every((odds) => odds.gt(1)) ? fair : null;
}
