import 'server-only';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { act } from '@/lib/staff/commands';
import type { StaffOrder, StaffOutcome } from '@/lib/staff/schema';
import type { MoneyDifference } from '../schema/books';
import { providers } from './provider';

type Period = { from: Date; to: Date };

const markOf = ({ provider, kind, id, reference, order, what }: MoneyDifference): string =>
  createHash('sha256')
    .update(JSON.stringify([provider, kind, id, reference, order, what]))
    .digest('hex');

const namesAsked = () => providers().map(({ name }) => name);

/**
 * Product §8: keeps what a comparison of a period found for staff, and closes what it would have found again if it were still there: what was found in this period or within it, at the
 * providers that are set up, and all that concerns the books alone. What staff have settled stays closed; gives the others.
 */
export async function keepDifferences(
  { from, to }: Period,
  found: readonly MoneyDifference[],
): Promise<MoneyDifference[]> {
  const marked = found.map((each) => ({ ...each, mark: markOf(each) }));
  return transact(async () => {
    const now = await decisionMoment();
    const { rows } = await sql<{ mark: string; settled: boolean }>`
      insert into money_difference (mark, provider, kind, entry, reference, order_reference, what, period_from, period_to, found_at, seen_at)
      select distinct on (mark) mark, provider, kind, id, reference, "order", what, ${from}::timestamptz, ${to}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(marked)}::jsonb) given (mark text, provider text, kind text, id text, reference text, "order" text, what text) order by mark
      on conflict (mark) do update set seen_at = excluded.seen_at, closed_at = case when money_difference.settled then money_difference.closed_at end,
        (period_from, period_to) = (
          select period_from, period_to from (values (money_difference.period_from, money_difference.period_to), (excluded.period_from, excluded.period_to)) known (period_from, period_to)
          order by period_to - period_from, period_to limit 1)
      returning mark, settled
    `.execute(database());
    await sql`
      update money_difference set closed_at = ${now} where closed_at is null and mark <> all(${marked.map(({ mark }) => mark)}::text[])
        and (provider = 'books' or (provider = any(${namesAsked()}::text[]) and period_from >= ${from} and period_to <= ${to}))
    `.execute(database());
    const settled = new Set(rows.flatMap((row) => (row.settled ? row.mark : [])));
    return found.filter((each) => !settled.has(markOf(each)));
  });
}

const periodsAtOnce = 20;

/** The periods in which open differences were found that are not among these: to be compared again, since a difference does not go by becoming old. Those that were looked at longest ago first, some at once. */
export async function listPeriodsLeft(seen: readonly MoneyDifference[]): Promise<Period[]> {
  const { rows } = await sql<Period>`
    select period_from as "from", period_to as "to" from money_difference
    where closed_at is null and provider = any(${namesAsked()}::text[]) and mark <> all(${seen.map(markOf)}::text[])
    group by period_from, period_to order by min(seen_at), period_from limit ${periodsAtOnce}
  `.execute(database());
  return rows;
}

/** What staff order about a difference. */
export type DifferenceByStaff = {
  staff: Viewer;
  id: number;
  action: 'difference.settle' | 'difference.reopen';
} & StaffOrder;

/** Product §11: staff say that a difference is settled, such as a refund that was made at the provider, or take that back. Failure 'missing', 'conflict' where it is so already; else as `act`. */
export async function decideOnDifference({ staff, id, action, ...order }: DifferenceByStaff): Promise<StaffOutcome> {
  return act({ staff, action, subject: { kind: 'difference', id: String(id) }, ...order }, async () => {
    const { rows } = await sql<{ closedAt: Date | null; settled: boolean }>`
      select closed_at as "closedAt", settled from money_difference where id = ${id} for update
    `.execute(database());
    const [held] = rows;
    if (!held) throw new Failure('missing', 'There is no such difference.');
    const settles = action === 'difference.settle';
    if (settles ? held.closedAt !== null : !held.settled)
      throw new Failure(
        'conflict',
        settles ? 'This difference is closed already.' : 'Staff have not settled this difference.',
      );
    await sql`
      update money_difference set closed_at = ${settles ? await decisionMoment() : null}, settled = ${settles} where id = ${id}
    `.execute(database());
    return { before: { Settled: !settles }, after: { Settled: settles } };
  });
}
