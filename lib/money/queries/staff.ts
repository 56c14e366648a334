import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { formatAmount } from '@/lib/amounts';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { wholeNumberOf } from '@/lib/platform/whole-number';
import { routes } from '@/lib/routes';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { StaffList } from '@/lib/staff/schema';
import type { MoneyCurrencyId } from '../schema/currencies';
import { orderStatuses } from '../schema/orders';

/** An order as staff see it, with its last payment and what was given back of it. */
export type StaffOrderRow = {
  id: number;
  reference: string;
  buyer: string;
  buyerId: number;
  /** None where Tipledger Pro was ordered. */
  portfolio: string | null;
  kind: string;
  status: string;
  payment: string | null;
  provider: string | null;
  failure: string | null;
  currencyId: MoneyCurrencyId;
  amountMinor: number;
  givenMinor: number;
  createdAt: string;
};

/** A payout as staff see it. */
export type StaffPayout = {
  id: number;
  reference: string;
  owner: string;
  ownerId: number;
  /** None where an affiliate is paid. */
  portfolio: string | null;
  currencyId: MoneyCurrencyId;
  amountMinor: number;
  status: string;
  approvedBy: string | null;
  because: string | null;
  createdAt: string;
};

const orderColumns = sql`customer_order.id, customer_order.reference, username as buyer, account_id as "buyerId", portfolio.reference as portfolio, kind, customer_order.status, last.status as payment, last.provider,
  coalesce(last.failure, because) as failure, customer_order.currency_id as "currencyId", customer_order.amount_minor as "amountMinor",
  coalesce((select sum(refund.amount_minor) from refund join payment on payment.id = payment_id where order_id = customer_order.id), 0)::int as "givenMinor", customer_order.created_at as "createdAt"`;
const ordersBy = (
  chosen = sql`customer_order`,
) => sql`${chosen} customer_order join account on account.id = account_id left join portfolio on portfolio.id = portfolio_id
  left join lateral (select status, provider, failure from payment where order_id = customer_order.id order by attempt desc limit 1) last on true`;

type Stored<T extends { createdAt: string }> = Omit<T, 'createdAt'> & { createdAt: Date };
const viewOf = <T extends { createdAt: Date }>({ createdAt, ...row }: T) => ({
  ...row,
  createdAt: createdAt.toISOString(),
});

const markedOrders: Readonly<Record<string, RawBuilder<unknown>>> = {
  disputed: sql`and id = any(array(select order_id from payment where status = 'disputed'))`,
  refunded: sql`and id in (select order_id from payment join refund on payment_id = payment.id)`,
};

/** Product §11: the orders, the newest first, with refunds and chargebacks. */
export const staffOrders: StaffList<StaffOrderRow> = {
  name: 'orders',
  title: 'Orders',
  lead: 'Every order with its payment, what was given back, and what was charged back. Open one to refund it.',
  none: 'Nothing matches. Search by the reference of an order or of a portfolio, or by the buyer’s username.',
  searched: 'reference, portfolio or buyer',
  filters: [
    { name: 'status', title: 'Status', choices: orderStatuses.map((value) => ({ value, title: value })) },
    {
      name: 'mark',
      title: 'Mark',
      choices: [
        { value: 'refunded', title: 'Refunded' },
        { value: 'disputed', title: 'Charged back' },
      ],
    },
  ],
  columns: [
    {
      key: 'reference',
      title: 'Order',
      cell: ({ reference }) => reference,
      href: ({ reference }) => routes.staff('orders', { id: reference }),
    },
    { key: 'at', title: 'When', cell: ({ createdAt }) => ({ at: createdAt }) },
    {
      key: 'buyer',
      title: 'Buyer',
      cell: ({ buyer }) => buyer,
      href: ({ buyerId }) => routes.staff('users', { id: buyerId }),
    },
    {
      key: 'portfolio',
      title: 'Portfolio',
      cell: ({ portfolio }) => portfolio ?? 'Tipledger Pro',
      href: ({ portfolio }) => (portfolio === null ? null : routes.staff('portfolios', { id: portfolio })),
    },
    { key: 'kind', title: 'Kind', cell: ({ kind }) => kind },
    { key: 'status', title: 'Status', cell: ({ status }) => status },
    {
      key: 'payment',
      title: 'Payment',
      cell: ({ payment }) => (payment === 'disputed' ? { state: 'charged back', tone: 'loss' } : payment),
    },
    {
      key: 'amount',
      title: 'Amount',
      figure: true,
      cell: ({ amountMinor, currencyId }) => formatAmount(amountMinor, currencyId),
    },
    {
      key: 'given',
      title: 'Refunded',
      figure: true,
      cell: ({ givenMinor, currencyId }) => formatAmount(givenMinor, currencyId),
    },
  ],
  read: async (viewer, { q, chosen, after, limit }) => {
    refuseUnlessStaff(viewer);
    const status = chosen['status'] ?? null;
    // What is searched is found by its index before anything else, and only the orders that are shown are joined.
    const found =
      q === null
        ? sql``
        : sql`and id = any(array(
            select id from customer_order where reference = ${q}
            union all select id from customer_order where portfolio_id = (select id from portfolio where reference = ${q})
            union all select id from customer_order where account_id = (select id from account where username = lower(${q}))))`;
    const page = sql`(
      select * from customer_order where (${wholeNumberOf(after)}::int is null or id < ${wholeNumberOf(after)}::int)
        and (${status}::text is null or status = ${status}::text) ${found} ${markedOrders[chosen['mark'] ?? ''] ?? sql``}
      order by id desc limit ${limit + 1})`;
    const { rows } = await sql<Stored<StaffOrderRow>>`
      select ${orderColumns} from ${ordersBy(page)} order by customer_order.id desc
    `.execute(database());
    return { rows: rows.slice(0, limit).map(viewOf), next: rows.length > limit ? String(rows[limit - 1]?.id) : null };
  },
};

/** An order as staff see it. Failure 'unauthorised' or 'forbidden' for whoever is not staff, 'missing' for no such order. */
export async function getOrderForStaff(viewer: Viewer, reference: string): Promise<StaffOrderRow> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<Stored<StaffOrderRow>>`
    select ${orderColumns} from ${ordersBy()} where customer_order.reference = ${reference}
  `.execute(database());
  if (!rows[0]) throw new Failure('missing', 'There is no such order.');
  return viewOf(rows[0]);
}

const payoutColumns = sql`payout.id, payout.reference, account.username as owner, payout.owner_id as "ownerId", portfolio.reference as portfolio, currency_id as "currencyId", amount_minor as "amountMinor",
  status, approver.username as "approvedBy", because, payout.created_at as "createdAt"`;
const payoutSource = sql`payout join account on account.id = payout.owner_id left join portfolio on portfolio.id = portfolio_id left join account approver on approver.id = approved_by`;

/** Product §11: the payouts, the newest first. */
export const staffPayouts: StaffList<StaffPayout> = {
  name: 'payouts',
  title: 'Payouts',
  lead: 'What tipsters asked to be paid. Above 1,000 in the currency somebody of staff, who is not the owner, decides.',
  none: 'Nothing matches.',
  searched: 'reference, portfolio or owner',
  filters: [
    {
      name: 'status',
      title: 'Status',
      choices: [
        { value: 'asked', title: 'Waits for staff' },
        { value: 'approved', title: 'Approved' },
        { value: 'paid', title: 'Paid' },
        { value: 'failed', title: 'Refused or failed' },
      ],
    },
  ],
  columns: [
    {
      key: 'reference',
      title: 'Payout',
      cell: ({ reference }) => reference,
      href: ({ reference }) => routes.staff('payouts', { id: reference }),
    },
    { key: 'at', title: 'Asked', cell: ({ createdAt }) => ({ at: createdAt }) },
    {
      key: 'owner',
      title: 'Owner',
      cell: ({ owner }) => owner,
      href: ({ ownerId }) => routes.staff('users', { id: ownerId }),
    },
    { key: 'portfolio', title: 'Portfolio', cell: ({ portfolio }) => portfolio ?? 'affiliate' },
    {
      key: 'amount',
      title: 'Amount',
      figure: true,
      cell: ({ amountMinor, currencyId }) => formatAmount(amountMinor, currencyId),
    },
    {
      key: 'status',
      title: 'Status',
      cell: ({ status }) => (status === 'asked' ? { state: 'waits for staff', tone: 'notice' } : status),
    },
    { key: 'by', title: 'Decided by', cell: ({ approvedBy }) => approvedBy },
  ],
  read: async (viewer, { q, chosen, after, limit }) => {
    refuseUnlessStaff(viewer);
    const status = chosen['status'] ?? null;
    const { rows } = await sql<Stored<StaffPayout>>`
      select ${payoutColumns} from ${payoutSource}
      where (${wholeNumberOf(after)}::int is null or payout.id < ${wholeNumberOf(after)}::int) and (${status}::text is null or status = ${status}::text)
        and (${q}::text is null or payout.reference = ${q}::text or portfolio.reference = ${q}::text or lower(account.username) = lower(${q}::text))
      order by payout.id desc limit ${limit + 1}
    `.execute(database());
    return { rows: rows.slice(0, limit).map(viewOf), next: rows.length > limit ? String(rows[limit - 1]?.id) : null };
  },
};

/** A payout as staff see it. Failure 'unauthorised' or 'forbidden' for whoever is not staff, 'missing' for no such payout. */
export async function getPayoutForStaff(viewer: Viewer, reference: string): Promise<StaffPayout> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<
    Stored<StaffPayout>
  >`select ${payoutColumns} from ${payoutSource} where payout.reference = ${reference}`.execute(database());
  if (!rows[0]) throw new Failure('missing', 'There is no such payout.');
  return viewOf(rows[0]);
}

/** The balances of the books, in minor units, by kind and currency. Failure 'unauthorised' or 'forbidden' for whoever is not staff. */
export async function listBalancesByKind(
  viewer: Viewer,
): Promise<{ kind: string; currencyId: MoneyCurrencyId; accounts: number; amountMinor: number }[]> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<{ kind: string; currencyId: MoneyCurrencyId; accounts: number; amountMinor: number }>`
    select kind, currency_id as "currencyId", count(*)::int as accounts, coalesce(sum(amount_minor), 0)::float8 as "amountMinor"
    from money_account account left join money_balance balance on balance.account_id = account.id group by kind, currency_id order by currency_id, kind
  `.execute(database());
  return rows;
}
