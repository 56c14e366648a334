import 'server-only';
import { sql } from 'kysely';
import { findOrder, recordRefund, sendRefunds } from '@/lib/money/commands';
import { unusedMinor } from '@/lib/money/rules';
import { database, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { decisionMoment } from '@/lib/platform/moment';
import { isClosed } from '../queries/plans';
import { closedBecause } from '../rules/states';
import { forgetMembership } from './forget';
import { soldBy } from './sold';
import { tell } from './news';
import { endMembership } from './periods';

const batch = 200;

/** Product §8: ends the memberships of portfolios that were abandoned or hidden, and gives back what was paid for the days that are left. Returns how many it ended. */
export async function closeMemberships(): Promise<number> {
  const { rows } = await sql<{ id: number; accountId: number; portfolioId: number }>`
    select membership.id, account_id as "accountId", portfolio_id as "portfolioId" from membership join portfolio on portfolio.id = portfolio_id
    where plan_id is not null and ended_at is null and ${isClosed} order by membership.id limit ${batch}
  `.execute(database());
  for (const each of rows) {
    await transact(() => close(each)).catch((error: unknown) =>
      log.error({
        event: 'closing_failed',
        membership: each.id,
        message: error instanceof Error ? error.message : String(error),
      }),
    );
  }
  if (rows.length > 0) await sendRefunds();
  return rows.length;
}

type Held = { startsAt: Date; endsAt: Date; paid: string | null };

async function close({
  id,
  accountId,
  portfolioId,
}: {
  id: number;
  accountId: number;
  portfolioId: number;
}): Promise<void> {
  await sql`select from account where id = ${accountId} for no key update`.execute(database());
  const portfolio = await sql`select from portfolio where id = ${portfolioId} and ${isClosed} for update`.execute(
    database(),
  );
  if (portfolio.rows.length === 0) return;
  const { rows } = await sql<Held>`
    select period_starts_at as "startsAt", period_ends_at as "endsAt",
      (select reference from customer_order where membership_id = membership.id and status = 'paid' and customer_order.amount_minor > 0 and period_number = periods order by id desc limit 1) as paid
    from membership where id = ${id} and ended_at is null for update
  `.execute(database());
  const [held] = rows;
  if (!held) return;
  const now = await decisionMoment();
  const because = closedBecause;
  await endMembership(id, because, now);
  const amountMinor = await giveBackUnused(held, because, now);
  await tell(
    id,
    amountMinor > 0 && held.paid !== null
      ? { what: 'refunded', amountMinor, because, order: held.paid }
      : { what: 'ended', because },
    now,
  );
  await forgetMembership({ accountId, portfolioId });
}

/** Gives back what was paid for the days that are left of a period, as far as it was not given back before; returns how much. */
async function giveBackUnused(held: Held, because: string, now: Date): Promise<number> {
  const order = held.paid === null ? null : await findOrder(held.paid);
  if (!order) return 0;
  const { sale, details } = await soldBy(order);
  return recordRefund(sale, { amountMinor: unusedMinor(order.amountMinor, held, now), because, details }, now);
}
