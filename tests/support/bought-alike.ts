import { sql } from 'kysely';
import { post } from '@/lib/money/commands';
import { saleLines } from '@/lib/money/rules';
import type { MoneyCurrencyId } from '@/lib/money/schema';
import { database, transact } from '@/lib/platform/database';

type Bought = {
  orderId: number;
  paymentId: number;
  portfolioId: number | null;
  owner: number | null;
  currencyId: MoneyCurrencyId;
  amountMinor: number;
  at: Date;
};

/** Has so many others buy what was bought by a first order that was paid, at its moment, by statements: the rows that the order left, and the sale in the books. */
export async function buyAlike(reference: string, count: number): Promise<void> {
  const { rows } = await sql<Bought>`
    with bought as (select * from customer_order where reference = ${reference}),
    people as (
      insert into account (username, created_at) select 'alike-' || bought.id || '-' || number, bought.created_at from bought, generate_series(1, ${count}::int) number returning id
    ), joined as (
      insert into membership (reference, account_id, portfolio_id, plan_id, currency_id, amount_minor, counted_from, periods, starts_at, ends_at, period_starts_at, period_ends_at, next_at)
      select substr(md5('membership' || people.id), 1, 10), people.id, portfolio_id, plan_id, currency_id, amount_minor, counted_from, periods, starts_at, ends_at, period_starts_at, period_ends_at, next_at
      from people, membership where membership.id = (select membership_id from bought) returning id, account_id
    ), ordered as (
      insert into customer_order (reference, account_id, portfolio_id, plan_id, membership_id, kind, period_number, currency_id, full_minor, amount_minor, tax_minor, terms, status,
        idempotency_key, request_hash, created_at, expires_at, changed_at)
      select substr(md5('order' || joined.id), 1, 10), joined.account_id, portfolio_id, plan_id, joined.id, kind, period_number, currency_id, full_minor, amount_minor, tax_minor, terms, status,
        'alike', request_hash, created_at, expires_at, changed_at from bought, joined returning *
    ), paid as (
      insert into payment (reference, order_id, attempt, provider, currency_id, amount_minor, status, created_at, changed_at)
      select substr(md5('payment' || id), 1, 20), id, 1, 'sandbox', currency_id, amount_minor, 'succeeded', changed_at, changed_at from ordered returning id, order_id
    )
    select ordered.id as "orderId", paid.id as "paymentId", portfolio_id as "portfolioId", owner_id as owner, currency_id as "currencyId", amount_minor as "amountMinor", ordered.changed_at as at
    from ordered join paid on order_id = ordered.id left join portfolio on portfolio.id = portfolio_id order by 2
  `.execute(database());
  await transact(async () => {
    for (const { owner, amountMinor, at, ...about } of rows)
      await post(
        { key: `sale:${about.paymentId}`, kind: 'sale', ...about },
        saleLines({ owner, amountMinor, taxMinor: 0 }),
        at,
      );
  });
}
