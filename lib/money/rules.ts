import type { OrderStatus, PaymentStatus, PostingLine } from './schema';

/** Product §8: the part of a price without tax that the platform keeps, in hundredths. */
export const platformPercent = 30;

/** Product §8: an order waits so long for its payer, in milliseconds. */
export const orderMilliseconds = 30 * 60_000;

/** Product §8: the first payment may be taken back within so many days. */
export const coolingOffDays = 14;

/** Product §8: from so much on an owner may be paid out, in units of the currency; above the second, staff must agree. */
export const payoutBounds = { least: 25, mostWithoutStaff: 1000 } as const;

/** What each gets of a price in minor units; the fee is rounded down, so that no owner gets less than their share. */
export function sharesOf(amountMinor: number, taxMinor: number): { tax: number; platform: number; tipster: number } {
  const platform = Math.floor(((amountMinor - taxMinor) * platformPercent) / 100);
  return { tax: taxMinor, platform, tipster: amountMinor - taxMinor - platform };
}

/** The tax that is in a price, by a rate in thousandths, rounded half up. */
export function taxIn(amountMinor: number, rateThousandths: number): number {
  return Math.round((amountMinor * rateThousandths) / (1000 + rateThousandths));
}

/** The lines of a sale: the provider has the money for us; tax, platform and tipster are owed their shares. */
export function saleLines({
  owner,
  amountMinor,
  taxMinor,
}: {
  owner: number;
  amountMinor: number;
  taxMinor: number;
}): PostingLine[] {
  const { tax, platform, tipster } = sharesOf(amountMinor, taxMinor);
  return whole([
    { owner: null, kind: 'clearing', amountMinor: -amountMinor },
    { owner: null, kind: 'tax', amountMinor: tax },
    { owner: null, kind: 'platform', amountMinor: platform },
    { owner, kind: 'held', amountMinor: tipster },
  ]);
}

/** What a sale gives up when so much of it is given back: each what they got, in proportion, so that parts that come to the whole take the whole. */
export function takenBack(
  sale: { amountMinor: number; taxMinor: number },
  { before, amountMinor }: { before: number; amountMinor: number },
): { tax: number; platform: number; tipster: number } {
  const until = (given: number) => {
    const shares = sharesOf(sale.amountMinor, sale.taxMinor);
    const part = (share: number) => (sale.amountMinor === 0 ? 0 : Math.floor((share * given) / sale.amountMinor));
    const [tax, platform] = [part(shares.tax), part(shares.platform)];
    return { tax, platform, tipster: given - tax - platform };
  };
  const [first, last] = [until(before), until(before + amountMinor)];
  return { tax: last.tax - first.tax, platform: last.platform - first.platform, tipster: last.tipster - first.tipster };
}

/** The lines of what is taken back from those who were owed it, and owed to `to` from now on. */
export function takenBackLines(
  shares: { tax: number; platform: number; tipster: number },
  { owner, from, to }: { owner: number; from: 'held' | 'payable'; to: 'refunds' | 'chargebacks' },
): PostingLine[] {
  return whole([
    { owner: null, kind: 'tax', amountMinor: -shares.tax },
    { owner: null, kind: 'platform', amountMinor: -shares.platform },
    { owner, kind: from, amountMinor: -shares.tipster },
    { owner: null, kind: to, amountMinor: shares.tax + shares.platform + shares.tipster },
  ]);
}

const whole = (lines: readonly PostingLine[]) => lines.filter(({ amountMinor }) => amountMinor !== 0);

/** The unused part of what was paid for a period, in minor units, by days that are left of it, a day that has begun being used. */
export function unusedMinor(
  amountMinor: number,
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
  now: Date,
): number {
  const days = (milliseconds: number) => milliseconds / 86_400_000;
  const all = Math.max(1, Math.round(days(endsAt.getTime() - startsAt.getTime())));
  const used = Math.min(all, Math.max(0, Math.ceil(days(now.getTime() - startsAt.getTime()))));
  return Math.floor((amountMinor * (all - used)) / all);
}

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
