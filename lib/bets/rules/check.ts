import { type Movement, movement } from '@/lib/odds/rules';
import type { Price } from '@/lib/odds/schema';
import type { LegNow } from '../schema/bets';
import { priceOf, type SlipLeg } from './slip';

/** What has become of the price that a leg was put into the slip at. */
export type LegState =
  | { kind: 'unchecked' }
  | { kind: 'same' }
  | { kind: 'moved'; now: Price; way: Movement }
  | { kind: 'withdrawn' }
  | { kind: 'nonRunner' }
  | { kind: 'switched' }
  | { kind: 'started' }
  | { kind: 'blocked' };

/** What tells the legs of a slip apart in an answer about prices: the selection at its bookmaker. */
export const quoteKey = ({ selectionId, bookmakerId }: Pick<SlipLeg, 'selectionId' | 'bookmakerId'>): string =>
  `${selectionId}:${bookmakerId}`;

/** Product §5: what a leg's price has become by the last answer; 'unchecked' without one. */
export function stateOf(leg: SlipLeg, now: LegNow | undefined): LegState {
  if (!now) return { kind: 'unchecked' };
  if (!now.price) return { kind: now.state === 'offered' || now.state === 'unknown' ? 'withdrawn' : now.state };
  const way = movement(priceOf(leg), now.price);
  return way === 'same' ? { kind: 'same' } : { kind: 'moved', now: now.price, way };
}

/** True when a leg can be placed as it stands in the slip; of an unchecked one the server will say. */
export const isPlaceable = ({ kind }: LegState): boolean => kind === 'same' || kind === 'unchecked';
