import { unusedMinor } from '@/lib/money/rules';
import { daysLater } from './calendar';

/** What decides on a refund of the period that runs: what was paid for it and went back of it before, in minor units, and the cooling-off of every payment of the membership; moments as ISO strings. */
export type CoolingOff = {
  order: string;
  amountMinor: number;
  given: number;
  startsAt: string;
  endsAt: string;
  windows: readonly { paidAt: string; days: number }[];
};

/**
 * Product §8: what a member who takes the payment back now is given, in minor units, and until when they may; null where they may not any more, or nothing is left. The 14 days are counted
 * from the payment that has them, and hold for whichever period runs by then: a weekly one is renewed within them.
 */
export function refundNow(
  { amountMinor, given, startsAt, endsAt, windows }: CoolingOff,
  now: Date,
): { amountMinor: number; until: Date } | null {
  const ends = windows.flatMap(({ paidAt, days }) => (days > 0 ? [daysLater(new Date(paidAt), days).getTime()] : []));
  const until = new Date(Math.max(0, ...ends));
  const unused = unusedMinor(amountMinor, { startsAt: new Date(startsAt), endsAt: new Date(endsAt) }, now);
  const left = Math.min(unused, amountMinor - given);
  return until > now && left > 0 ? { amountMinor: left, until } : null;
}
