import type { PostingLine } from '../schema/books';
import type { MoneyCurrencyId } from '../schema/currencies';

/** Product §8: the part of a price without tax that the platform keeps, in hundredths. */
export const platformPercent = 30;

/** What each gets of a price in minor units; the fee is rounded down, so that no owner gets less than their share. */
export function sharesOf(amountMinor: number, taxMinor: number): { tax: number; platform: number; tipster: number } {
  const platform = Math.floor(((amountMinor - taxMinor) * platformPercent) / 100);
  return { tax: taxMinor, platform, tipster: amountMinor - taxMinor - platform };
}

/** The tax that is in a price, by a rate in thousandths, rounded half up. */
export function taxIn(amountMinor: number, rateThousandths: number): number {
  return Math.round((amountMinor * rateThousandths) / (1000 + rateThousandths));
}

/** A rate of tax in words: '20%', '5.5%'. */
export const ratePercent = (rateThousandths: number): string => `${rateThousandths / 10}%`;

/** The lines of a sale: the provider has the money for us; tax, platform and tipster are owed their shares; without an owner it was Pro that was sold, whose teams share later. */
export function saleLines({
  owner,
  amountMinor,
  taxMinor,
}: {
  owner: number | null;
  amountMinor: number;
  taxMinor: number;
}): PostingLine[] {
  const { tax, platform, tipster } = sharesOf(amountMinor, taxMinor);
  return whole([
    { owner: null, kind: 'clearing', amountMinor: -amountMinor },
    { owner: null, kind: 'tax', amountMinor: tax },
    { owner: null, kind: 'platform', amountMinor: platform },
    { owner, kind: owner === null ? 'pro' : 'held', amountMinor: tipster },
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
  { owner, from, to }: { owner: number | null; from: 'held' | 'payable' | 'pro'; to: 'refunds' | 'chargebacks' },
): PostingLine[] {
  return whole([
    { owner: null, kind: 'tax', amountMinor: -shares.tax },
    { owner: null, kind: 'platform', amountMinor: -shares.platform },
    { owner, kind: from, amountMinor: -shares.tipster },
    { owner: null, kind: to, amountMinor: shares.tax + shares.platform + shares.tipster },
  ]);
}

/** The lines of what a provider kept for itself, which the site bears: it has so much less of ours. Nothing for nothing. */
export const feeLines = (amountMinor: number): PostingLine[] => fromClearing(amountMinor, 'fees');

/** The lines of money that came from the bank of the site to its provider; below zero, of what went there. */
export const bankLines = (amountMinor: number): PostingLine[] => fromClearing(-amountMinor, 'bank');

type Amount = { amountMinor: number; currencyId: MoneyCurrencyId };

/** The lines of what a provider was given in one currency and keeps in another; below zero, of what it gave in one and took from another. Each currency comes to nothing. */
export const exchangeLines = (given: Amount, kept: Amount): PostingLine[] => [
  ...fromClearing(given.amountMinor, 'exchange').map((line) => ({ ...line, currencyId: given.currencyId })),
  ...fromClearing(-kept.amountMinor, 'exchange').map((line) => ({ ...line, currencyId: kept.currencyId })),
];

const fromClearing = (amountMinor: number, kind: 'fees' | 'bank' | 'exchange') =>
  whole([
    { owner: null, kind: 'clearing', amountMinor },
    { owner: null, kind, amountMinor: -amountMinor },
  ]);

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

/** A mark by which it is seen whether amounts are still those that somebody saw: empty for none. */
export function markOfAmounts(amounts: readonly { currencyId: number; amountMinor: number }[]): string {
  return amounts
    .toSorted((one, other) => one.currencyId - other.currencyId)
    .map(({ currencyId, amountMinor }) => `${currencyId}=${amountMinor}`)
    .join(',');
}
