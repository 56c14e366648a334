import Fraction from 'fraction.js';
import { exactOdds, totalOddsThousandths, writeOdds } from '@/lib/odds/rules';
import type { Price } from '@/lib/odds/schema';
import type { OddsDisplay } from '@/lib/reference/schema';
import type { TipView } from '../schema';

const exactTotal = (prices: readonly Price[]): Fraction =>
  prices.reduce((total, price) => total.mul(exactOdds(price)), new Fraction(1));

/** True when the prices of all legs together are below a price, compared exactly. */
export const isBelow = (prices: readonly Price[], minPrice: Price): boolean =>
  exactTotal(prices).lt(exactOdds(minPrice));

/** Ours (0076): why a least price cannot stand with the prices taken, in a sentence with the highest that can, in the display given; null when it can, or none was set. */
export function minPriceProblem(
  minPrice: Price | undefined,
  legs: readonly { price: Price }[],
  display: OddsDisplay = 'decimal',
): string | null {
  const prices = legs.map(({ price }) => price);
  if (!minPrice || !isBelow(prices, minPrice)) return null;
  const [only] = prices;
  const total = { oddsThousandths: Math.floor(totalOddsThousandths(prices) / 10) * 10, fraction: null };
  const most = writeOdds(prices.length === 1 && only ? only : total, display);
  return `The lowest price can’t be above the price you take. Enter ${most} or less, or leave it empty.`;
}

/** What the price of an open tip is now: the best of a single, the product of the bests of several legs in thousandths, null where a leg has none; `isGone` when it is below what its tipster set. */
export type PriceStill = {
  best: Price | null;
  totalThousandths: number | null;
  minPrice: Price | null;
  isGone: boolean;
};

/** What a tip's price is now for whoever this view was made for; null where nothing can be taken any more, or the viewer does not see its legs. */
export function priceStill({
  legs,
  minPrice,
  lock,
  started,
  settlements,
}: Pick<TipView, 'legs' | 'minPrice' | 'lock' | 'started' | 'settlements'>): PriceStill | null {
  if (lock || started || settlements.length > 0 || legs.length === 0) return null;
  const best = legs.flatMap(({ bestNow }) => (bestNow ? [bestNow.price] : []));
  const isWhole = best.length === legs.length;
  return {
    best: legs.length === 1 ? (best[0] ?? null) : null,
    totalThousandths: isWhole ? totalOddsThousandths(best) : null,
    minPrice,
    isGone: minPrice !== null && (!isWhole || isBelow(best, minPrice)),
  };
}
