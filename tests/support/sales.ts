import type { Viewer } from '@/lib/access/schema';
import { setPlans, startCheckout } from '@/lib/memberships/commands';
import type { OrderView } from '@/lib/memberships/schema';
import type { PlansInput } from '@/lib/memberships/schema/plans';
import { CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import { openShop } from './members';

/** A premium portfolio of a new member that sells months at a price in pence, at the moment of the caller; `more` is what else it sells by. */
export async function openMonthly(
  names: { owner: string; portfolio: string },
  amountMinor: number,
  at: Date,
  more: Partial<PlansInput> = {},
) {
  const shop = await openShop(names.owner, { name: names.portfolio, visibility: PortfolioVisibility.premium }, at);
  const plans: PlansInput['plans'] = [
    { period: 'month', onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor }] },
  ];
  await setPlans(shop.owner, shop.reference, { mainCurrencyId: CurrencyId.GBP, plans, ...more }, undefined, at);
  return shop;
}

/** Orders a month of a portfolio. */
export const orderMonth = (viewer: Viewer, portfolio: string, amountMinor: number, key: string): Promise<OrderView> =>
  startCheckout(viewer, { portfolio, period: 'month', amountMinor }, key);

/** What the provider calls a page, by its address. */
export const pageOf = ({ payUrl }: Pick<OrderView, 'payUrl'>): string => payUrl?.split('/').at(-1) ?? '';
