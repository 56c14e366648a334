import type { OrderView, Terms } from '@/lib/memberships/schema';

/** A month at £20, as its buyer sees it. */
export const terms: Terms = {
  period: 'month',
  currencyId: 1,
  fullMinor: 2000,
  amountMinor: 2000,
  trialDays: 0,
  renewsAt: '2026-04-10T12:00:00.000Z',
  renewalMinor: 2000,
  coolingOffDays: 14,
  taxMinor: 0,
  coupon: null,
  couponPeriods: null,
  tipsPromised: null,
  profitOrFree: false,
};

/** The paid order of such a month, whose membership runs. */
export const order: OrderView = {
  reference: 'abcdefghjk',
  status: 'paid',
  because: null,
  portfolioReference: 'ann',
  portfolioName: 'Ann Football',
  terms,
  amountMinor: 2000,
  taxMinor: 0,
  charged: true,
  givenBackMinor: 0,
  currencyId: 1,
  payUrl: null,
  membership: 'bcdefghjkm',
  runs: true,
  closed: false,
  _expires: '2099-04-10T12:00:00.000Z',
};
