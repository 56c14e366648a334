import type { PlanPeriod, Promises } from '@/lib/memberships/schema';
import type { KeptCard } from '@/lib/money/schema';

/** A period as it stands behind a price: "a month". */
export const perPeriod: Readonly<Record<PlanPeriod, string>> = {
  week: 'a week',
  month: 'a month',
  quarter: 'a quarter',
  year: 'a year',
};

/** How often something comes again. */
export const everyPeriod: Readonly<Record<PlanPeriod, string>> = {
  week: 'every week',
  month: 'every month',
  quarter: 'every quarter',
  year: 'every year',
};

/** A period as a heading. */
export const periodTitle: Readonly<Record<PlanPeriod, string>> = {
  week: 'Weekly',
  month: 'Monthly',
  quarter: 'Quarterly',
  year: 'Yearly',
};

/** What a plan promises, each in a sentence; empty where it promises nothing. */
export function promiseWords({ tipsPromised, profitOrFree }: Promises, period: PlanPeriod): string[] {
  return [
    ...(tipsPromised
      ? [`At least ${tipsPromised} settled tips ${perPeriod[period]}, or another ${period} at no charge.`]
      : []),
    ...(profitOrFree ? [`If the ${period} shows no profit at followers’ prices, the next one is free.`] : []),
  ];
}

/** A card as its owner knows it: "Visa ending in 4242, expires 08/2030". */
export function cardWords({ label, expires }: KeptCard): string {
  return expires === null ? label : `${label}, expires ${expires.slice(5)}/${expires.slice(0, 4)}`;
}
