import type { Price } from '../schema/price';
import { compareOdds } from './quotes';

/** A change of one bookmaker's price: from `at` on, in milliseconds since 1970, it offers `price`, or nothing where that is null. */
export type PriceChange = { bookmakerId: number; at: number; price: Price | null };

/** The best price on offer from `at` on, in milliseconds since 1970; null where nobody offers one. */
export type BestPriceStep = { at: number; price: Price | null };

function bestOf(offers: ReadonlyMap<number, Price>): Price | null {
  let best: { bookmakerId: number; price: Price } | null = null;
  for (const [bookmakerId, price] of offers) {
    const against = best ? compareOdds(price, best.price) : 1;
    if (!best || against > 0 || (against === 0 && bookmakerId < best.bookmakerId)) best = { bookmakerId, price };
  }
  return best?.price ?? null;
}

/**
 * Product §7: how the best price of a selection moved, in order of time, from the changes of all its bookmakers in any order. Ours: of
 * prices that pay alike, that of the bookmaker with the lowest id.
 */
export function bestPriceSteps(changes: readonly PriceChange[]): BestPriceStep[] {
  const offers = new Map<number, Price>();
  const steps: BestPriceStep[] = [];
  const inOrder = changes.toSorted((a, b) => a.at - b.at);
  inOrder.forEach(({ bookmakerId, at, price }, index) => {
    if (price) offers.set(bookmakerId, price);
    else offers.delete(bookmakerId);
    if (inOrder[index + 1]?.at !== at) steps.push({ at, price: bestOf(offers) });
  });
  return steps;
}

/** The best price on offer at a moment, in milliseconds since 1970; null where nobody offered one. */
export function bestPriceAt(steps: readonly BestPriceStep[], at: number): Price | null {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle]?.at ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return steps[low - 1]?.price ?? null;
}

const minute = 60_000;

/** The best price on offer to a follower at a moment after publication and at the close; null where none was, or the fixture had started. */
export type FollowerPrices = Record<'after5' | 'after15' | 'after60' | 'close', Price | null>;

/**
 * Product §7: the best price on offer 5, 15 and 60 minutes after publication and at the close, the last one before the start; null where
 * nobody offered one then, and at a moment that is not before the start.
 */
export function pricesAfterPublication(
  steps: readonly BestPriceStep[],
  publishedAt: Date,
  startsAt: Date,
): FollowerPrices {
  const after = (minutes: number) => {
    const at = publishedAt.getTime() + minutes * minute;
    return at < startsAt.getTime() ? bestPriceAt(steps, at) : null;
  };
  return { after5: after(5), after15: after(15), after60: after(60), close: bestPriceAt(steps, startsAt.getTime()) };
}
