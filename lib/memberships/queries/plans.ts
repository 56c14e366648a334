import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import { isOwner } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { readTaxRate } from '@/lib/money/queries';
import { coolingOffDays } from '@/lib/money/rules';
import type { MoneyCurrencyId } from '@/lib/money/schema';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import { couponToUse } from '../rules/coupons';
import { byLength, priceFor, termsFor, whyClosed } from '../rules/plans';
import { proName } from '../rules/pro';
import { findCoupons } from './coupons';
import type { Terms } from '../schema/memberships';
import type { OwnPlans, Plan, PlanPeriod, SaleView } from '../schema/plans';
import { proPeriods } from '../schema/pro';

/** Spec §9: what a portfolio sells is kept as the portfolio is, for the standard ten minutes. */
export const saleTtlSeconds = 600;

/** What a portfolio sells, with the ids of its plans, as the database holds it. */
export type Sale = {
  mainCurrencyId: MoneyCurrencyId;
  trialDays: number;
  memberLimit: number | null;
  /** Members whose membership runs, and orders that are being paid. */
  members: number;
  ordering: number;
  /** True where staff have suspended the owner, who can publish nothing meanwhile. */
  suspended: boolean;
  plans: (Plan & { id: number })[];
};

/** The condition by which rows are of a portfolio, or of Pro where none is named. */
export const ofSeller = (portfolioId: number | null) =>
  portfolioId === null ? sql`portfolio_id is null` : sql`portfolio_id = ${portfolioId}`;

/** Product §8: the condition by which a portfolio is closed to members: abandoned, hidden, or premium no more. */
export const isClosed = sql<boolean>`(portfolio.abandoned_at is not null or portfolio.visibility <> ${PortfolioVisibility.premium})`;

/** What a portfolio sells, or Pro where none is named; of the transaction that the caller stands in. */
export async function readSale(portfolioId: number | null): Promise<Sale> {
  const { rows } = await sql<Omit<Sale, 'plans'>>`
    select coalesce(main_currency_id, ${CurrencyId.GBP}::smallint) as "mainCurrencyId", coalesce(trial_days, 0) as "trialDays", member_limit as "memberLimit",
      (select count(*)::int from membership where ${ofSeller(portfolioId)} and plan_id is not null and ended_at is null) as members,
      (select count(*)::int from customer_order where ${ofSeller(portfolioId)} and kind = 'first' and status in ('open', 'processing')) as ordering,
      exists (select from portfolio join suspension on account_id = owner_id where portfolio.id = ${portfolioId}::int) as suspended
    from (select 1) one left join portfolio_sale on ${ofSeller(portfolioId)}
  `.execute(database());
  const plans = await sql<Plan & { id: number }>`
    select id, period, on_sale as "onSale", tips_promised as "tipsPromised", profit_or_free as "profitOrFree",
      coalesce((select jsonb_agg(jsonb_build_object('currencyId', currency_id, 'amountMinor', amount_minor) order by currency_id) from plan_price where plan_id = plan.id), '[]') as prices
    from plan where ${ofSeller(portfolioId)}
  `.execute(database());
  const [sale] = rows;
  if (!sale) throw new Error('What the portfolio sells was not read.');
  return { ...sale, plans: byLength(plans.rows) };
}

/** Why nobody can join the portfolio now; null where one can. */
export function whySaleIsClosed(
  { type, abandoned }: Pick<PortfolioView, 'type' | 'abandoned'>,
  sale: Sale,
): string | null {
  return whyClosed({
    visibility: type,
    abandoned,
    suspended: sale.suspended,
    plans: sale.plans.filter(({ onSale }) => onSale).length,
    places: sale.memberLimit === null ? null : { taken: sale.members + sale.ordering, limit: sale.memberLimit },
  });
}

/** Product §8: why nobody can join Pro now; null where one can. */
export function whyProIsClosed(sale: Pick<Sale, 'plans'>): string | null {
  return sale.plans.some(({ onSale }) => onSale) ? null : `${proName} is not on sale at the moment.`;
}

/** Product §8: what Pro costs, as everybody sees it. */
export async function getProSale(): Promise<SaleView> {
  return cached('sale:pro', saleTtlSeconds, ['pro'], async () => {
    const sale = await readSale(null);
    const why = whyProIsClosed(sale);
    const plans = sale.plans.filter(({ onSale }) => onSale).map(({ id: _, onSale: __, ...plan }) => plan);
    return {
      portfolioReference: null,
      mainCurrencyId: sale.mainCurrencyId,
      trialDays: 0,
      open: why === null,
      why,
      plans,
    };
  });
}

/** What Pro costs as staff see it: each period that was ever priced, on sale or not, and how many members have Pro. */
export type ProOffer = {
  members: number;
  plans: { period: (typeof proPeriods)[number]; onSale: boolean; prices: Plan['prices'] }[];
};

/** What Pro costs, on sale or not, as the transaction that the caller stands in has it. */
export async function readProOffer(): Promise<ProOffer> {
  const { members, plans } = await readSale(null);
  return {
    members,
    plans: proPeriods.flatMap((period) =>
      plans.filter((plan) => plan.period === period).map(({ onSale, prices }) => ({ period, onSale, prices })),
    ),
  };
}

/** Product §11: what Pro costs, for staff. Failure 'unauthorised' or 'forbidden' for whoever is not staff. */
export async function getProOffer(viewer: Viewer): Promise<ProOffer> {
  refuseUnlessStaff(viewer);
  return readProOffer();
}

/** Product §8: what a portfolio sells, as everybody sees it. Failure 'missing' as with `getPortfolio`. */
export async function getSale(viewer: Viewer, reference: string): Promise<SaleView> {
  const portfolio = await getPortfolio(viewer, reference);
  return cached(`sale:${reference}`, saleTtlSeconds, [`portfolio:${reference}`], async () => {
    const sale = await readSale(portfolio.id);
    const why = whySaleIsClosed(portfolio, sale);
    const { mainCurrencyId, trialDays } = sale;
    const plans = sale.plans.filter(({ onSale }) => onSale).map(({ id: _, onSale: __, ...plan }) => plan);
    return { portfolioReference: reference, mainCurrencyId, trialDays, open: why === null, why, plans };
  });
}

/** What the viewer's portfolio sells, as it is set. Failure 'missing' as with `getPortfolio`, 'forbidden' for another's. */
export async function getOwnPlans(viewer: Viewer, reference: string): Promise<OwnPlans> {
  const portfolio = await getPortfolio(viewer, reference);
  if (!isOwner(viewer, portfolio))
    throw new Failure('forbidden', 'Only the owner of a portfolio sees what it is set to sell.');
  const { mainCurrencyId, trialDays, memberLimit, members, plans } = await readSale(portfolio.id);
  return { mainCurrencyId, trialDays, memberLimit, members, plans: plans.map(({ id: _, ...plan }) => plan) };
}

/** What is asked to be bought; `hold` keeps its coupon from being used by anybody else until the transaction ends. */
export type AskedPlan = {
  period: PlanPeriod;
  currencyId?: MoneyCurrencyId | undefined;
  coupon?: string | undefined;
  hold?: boolean;
};

/** What is bought at which price on which terms, as it stands at a moment. */
export type Quote = { planId: number; couponId: number | null; terms: Terms };

/** The price and the terms for a member, by their buy currency where they name none. Failure 'missing' for a plan that is not on sale, 'invalid' for a coupon that cannot be used. */
export async function quoteFor(
  accountId: number,
  portfolioId: number | null,
  sale: Sale,
  asked: AskedPlan,
  now: Date,
): Promise<Quote> {
  const plan = sale.plans.find(({ period, onSale }) => onSale && period === asked.period);
  const { rows } = await sql<{ buy: MoneyCurrencyId; known: boolean }>`
    select buy_currency_id as buy, exists (select from membership where account_id = account.id and ${ofSeller(portfolioId)} and plan_id is not null) as known
    from account where id = ${accountId}
  `.execute(database());
  const price = plan && priceFor(plan, { buy: asked.currencyId ?? rows[0]?.buy, main: sale.mainCurrencyId });
  if (!plan || !price) throw new Failure('missing', 'This plan is not on sale. Choose another one.');
  const found = asked.coupon ? await findCoupons(accountId, portfolioId, asked.coupon, asked) : null;
  const { coupon, why } = couponToUse(found, { period: plan.period, currencyId: price.currencyId }, now);
  if (why) throw new Failure('invalid', why, { coupon: 'cannot be used' });
  const terms = termsFor(
    {
      period: plan.period,
      currencyId: price.currencyId,
      fullMinor: price.amountMinor,
      isCouponCurrency: price.currencyId === coupon?.currencyId,
      tipsPromised: plan.tipsPromised,
      profitOrFree: plan.profitOrFree,
    },
    {
      trialDays: rows[0]?.known ? 0 : sale.trialDays,
      coupon,
      coolingOffDays,
      taxThousandths: await readTaxRate(accountId, now),
    },
    now,
  );
  return { planId: plan.id, couponId: coupon?.id ?? null, terms };
}

/** Product §8: what the viewer would be charged now and later, to be shown before the button; of Pro where no portfolio is named. Failure 'unauthorised' for a guest, 'missing' and 'invalid' as the order would be refused. */
export async function getTerms(
  viewer: Viewer,
  portfolioReference: string | undefined,
  asked: AskedPlan,
  now: Date,
): Promise<Terms> {
  requireMember(viewer);
  const id = portfolioReference === undefined ? null : (await getPortfolio(viewer, portfolioReference)).id;
  return (await quoteFor(viewer.accountId, id, await readSale(id), asked, now)).terms;
}
