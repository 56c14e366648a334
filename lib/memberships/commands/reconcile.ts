import 'server-only';
import { sql } from 'kysely';
import { providers, sendRefunds } from '@/lib/money/commands';
import type { Provider } from '@/lib/money/schema';
import { isPaused } from '@/lib/pauses/queries';
import { database } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { singleton } from '@/lib/platform/singleton';
import { isClosed } from '../queries/plans';
import { closedBecause } from '../rules/states';
import { advanceOrder, closeOrder } from './advance';
import { advanceCard, closeChange } from './cards';

// Of more than a batch each has its turn, in whatever order: one that its provider refuses again and again holds up no other.
const batch = 200;
/** So many days a payment that was begun is asked about. */
export const watchedDays = 3;

async function each(references: readonly string[], act: (reference: string) => Promise<void>): Promise<void> {
  for (const reference of references) {
    try {
      await act(reference);
    } catch (error) {
      log.error({
        event: 'order_failed',
        order: reference,
        message: error instanceof Error ? error.message : String(error),
      });
    }
  }
}

/** Product §8: closes the orders that nobody has paid in time, and the changes of cards that nobody went through with; one that was paid is paid. Those of members who take a break, of accounts that were deleted and of portfolios that were closed are closed at once, and so are the renewals of memberships that have ended. */
export async function expireOrders(now: Date): Promise<void> {
  const { rows } = await sql<{ reference: string }>`
    select reference from customer_order where status = 'open' and expires_at <= ${now} order by random() limit ${batch}
  `.execute(database());
  await each([...(await listStopped(now)), ...(await listLeft(now))], (reference) =>
    closeOrder(reference, 'cancelled'),
  );
  await each(await listClosed(), (reference) => closeOrder(reference, 'cancelled', closedBecause));
  await each(
    rows.map(({ reference }) => reference),
    (reference) => closeOrder(reference, 'expired'),
  );
  const changes = await sql<{ reference: string }>`
    select reference from card_change where status = 'started' and expires_at <= ${now} order by random() limit ${batch}
  `.execute(database());
  await each(
    changes.rows.map(({ reference }) => reference),
    closeChange,
  );
}

async function listStopped(now: Date): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`
    select reference from customer_order where kind = 'first' and status in ('open', 'processing')
      and (${isPaused(sql`customer_order.account_id`, now)} or exists (select from account where account.id = account_id and deleted_at is not null)) order by random() limit ${batch}
  `.execute(database());
  return rows.map(({ reference }) => reference);
}

const closedTurn = () => singleton('closed-orders', () => ({ after: 0 }));

// From where the last run ended, and from the beginning behind the last of them.
async function listClosed(): Promise<string[]> {
  const turn = closedTurn();
  const { rows } = await sql<{ id: number; reference: string }>`
    select customer_order.id, customer_order.reference from customer_order join portfolio on portfolio.id = portfolio_id
    where kind = 'first' and status in ('open', 'processing') and ${isClosed} and customer_order.id > ${turn.after} order by customer_order.id limit ${batch}
  `.execute(database());
  turn.after = rows.length < batch ? 0 : (rows.at(-1)?.id ?? 0);
  return rows.map(({ reference }) => reference);
}

async function listLeft(now: Date): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`
    select customer_order.reference from customer_order join membership on membership.id = membership_id
    where kind = 'renewal' and status = 'processing' and expires_at <= ${now} and ended_at is not null order by random() limit ${batch}
  `.execute(database());
  return rows.map(({ reference }) => reference);
}

/** Product §8: reads what is under way at the providers again, and moves it on, whatever was lost between two steps; gives back what is owed. */
export async function reconcilePayments(now: Date): Promise<void> {
  const { rows } = await sql<{ reference: string }>`
    select reference from customer_order where id in (
      select order_id from payment where status in ('started', 'pending') and created_at <= ${new Date(now.getTime() - 5_000)}::timestamptz
        -- What a bank has not decided yet is waited for, however long it takes.
        and (status = 'pending' or created_at > ${new Date(now.getTime() - watchedDays * 86_400_000)}::timestamptz))
    order by random() limit ${batch}
  `.execute(database());
  await each(
    rows.map(({ reference }) => reference),
    advanceOrder,
  );
  const changes = await sql<{ reference: string }>`
    select reference from card_change where status in ('started', 'pending') and created_at <= ${new Date(now.getTime() - 5_000)}::timestamptz order by random() limit ${batch}
  `.execute(database());
  await each(
    changes.rows.map(({ reference }) => reference),
    advanceCard,
  );
  await sendRefunds();
}

const disputedDays = 30;

/** Product §8: asks the providers which payments were disputed lately, and takes back what was earned by those that we have as paid. */
export async function watchDisputes(now: Date, asked: readonly Provider[] = providers()): Promise<void> {
  const since = new Date(now.getTime() - disputedDays * 86_400_000);
  const disputed = (await Promise.all(asked.map(({ listDisputed }) => listDisputed(since)))).flat();
  const { rows } = await sql<{ reference: string }>`
    select customer_order.reference from payment join customer_order on customer_order.id = order_id
    where payment.status = 'succeeded' and payment.reference = any(${disputed}::text[]) order by payment.id
  `.execute(database());
  await each(
    rows.map(({ reference }) => reference),
    advanceOrder,
  );
}
