import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { formatMoney } from '@/lib/format';
import { moneyCurrencies } from '@/lib/money/schema';
import { forget } from '@/lib/platform/cache';
import { arrayOf, database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { act } from '@/lib/staff/commands';
import type { StaffFacts, StaffOrder, StaffOutcome } from '@/lib/staff/schema';
import { type ProOffer, readProOffer } from '../queries/plans';
import { markOfPrices } from '../rules/plans';
import { proPeriods } from '../schema/pro';
import { followPrices } from './plans';

/** Writes what Pro costs from a moment on, in the transaction of the caller; gives how many members are told of a higher price. */
export async function writeProPlans(plans: ProOffer['plans'], at: Date): Promise<number> {
  await sql`update plan set on_sale = false where portfolio_id is null and on_sale and period <> all(${plans.map(({ period }) => period)}::text[])`.execute(
    database(),
  );
  for (const { period, onSale, prices } of plans) {
    const { rows } = await sql<{ id: number }>`
      insert into plan (portfolio_id, period, on_sale, created_at) values (null, ${period}, ${onSale}, ${at})
      on conflict (period) where portfolio_id is null do update set on_sale = excluded.on_sale returning id
    `.execute(database());
    const columns = sql`${arrayOf(prices.map(({ currencyId }) => currencyId))}::smallint[], ${arrayOf(prices.map(({ amountMinor }) => amountMinor))}::int[]`;
    await sql`delete from plan_price where plan_id = ${rows[0]?.id ?? 0} and currency_id <> all(${arrayOf(prices.map(({ currencyId }) => currencyId))}::smallint[])`.execute(
      database(),
    );
    await sql`
      insert into plan_price (plan_id, currency_id, amount_minor) select ${rows[0]?.id ?? 0}::int, currency_id, amount_minor from unnest(${columns}) given (currency_id, amount_minor)
      on conflict (plan_id, currency_id) do update set amount_minor = excluded.amount_minor where plan_price.amount_minor <> excluded.amount_minor
    `.execute(database());
  }
  const told = await followPrices(null, at);
  await forget(['pro']);
  return told;
}

const periodWords = { month: 'By month', year: 'By year' } as const;

const factsOf = (plans: ProOffer['plans']): StaffFacts =>
  Object.fromEntries(
    proPeriods.flatMap((period) => {
      const plan = plans.find((each) => each.period === period);
      return [
        [`${periodWords[period]}, on sale`, plan?.onSale ?? false],
        ...moneyCurrencies.map(({ id, code }) => {
          const price = plan?.prices.find(({ currencyId }) => currencyId === id);
          return [
            `${periodWords[period]}, in ${code}`,
            price ? formatMoney({ minor: price.amountMinor, currency: code }) : null,
          ];
        }),
      ];
    }),
  );

/** What staff order Pro to cost; `seen` is what `markOfPrices` gave for the prices that they saw. */
export type ProPricesOrder = StaffOrder & { plans: ProOffer['plans']; seen: string };

/**
 * Product §11: staff set what Pro costs, or try it; members are told of a higher price 30 days ahead, and how many that is stands with what changes.
 * Failure 'conflict' when somebody changed it since `seen`; else as `act`.
 */
export async function orderProPrices(
  viewer: Viewer,
  { plans, seen, reason, preview }: ProPricesOrder,
): Promise<StaffOutcome> {
  const subject = { kind: 'pro', id: 'prices' };
  return act({ staff: viewer, action: 'pro.prices', subject, reason, preview }, async () => {
    const at = await decisionMoment();
    // Both rows are there and locked from here on: two members of staff wait for each other here.
    await sql`
      insert into plan (portfolio_id, period, on_sale, created_at) select null, period, false, ${at}::timestamptz from unnest(${[...proPeriods]}::text[]) period
      on conflict do nothing
    `.execute(database());
    await sql`select from plan where portfolio_id is null order by id for update`.execute(database());
    const before = (await readProOffer()).plans;
    if (markOfPrices(before) !== seen)
      throw new Failure(
        'conflict',
        'Somebody changed the prices meanwhile. Load the page again, and make your change to what is there now.',
      );
    const told = await writeProPlans(plans, at);
    return {
      before: { ...factsOf(before), 'Members told of a higher price': 0 },
      after: { ...factsOf(plans), 'Members told of a higher price': told },
    };
  });
}
