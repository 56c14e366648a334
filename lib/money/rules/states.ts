import type { OrderStatus, PaymentStatus } from '../schema/orders';

/** Product §8: an order waits so long for its payer, in milliseconds. */
export const orderMilliseconds = 30 * 60_000;

/** Product §8: the first payment may be taken back within so many days. */
export const coolingOffDays = 14;

/** What becomes of an order by the state of its payment; null while nothing does. */
export function orderAfter(payment: PaymentStatus): Exclude<OrderStatus, 'open' | 'expired'> | null {
  const next = {
    started: null,
    pending: 'processing',
    succeeded: 'paid',
    disputed: 'paid',
    failed: 'failed',
    cancelled: 'cancelled',
  } as const;
  return next[payment];
}

const places: Readonly<Record<PaymentStatus, number>> = {
  started: 0,
  pending: 1,
  failed: 2,
  cancelled: 2,
  succeeded: 2,
  disputed: 3,
};

/** True when a payment may come from one state to another: forward, and never from one end to another. */
export function isForward(from: PaymentStatus, to: PaymentStatus): boolean {
  if (from === 'failed' || from === 'cancelled') return false;
  return places[to] > places[from] && !(from === 'succeeded' && to !== 'disputed');
}

/** True once nothing more becomes of an order. */
export function isSettled(status: OrderStatus): boolean {
  return status !== 'open' && status !== 'processing';
}
