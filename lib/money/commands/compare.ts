import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { listBookProblems } from '../queries/books';
import { differencesOf } from '../rules/differences';
import type { MoneyDifference, OwnEntry } from '../schema/books';
import type { Provider, ProviderEntry } from '../schema/providers';
import { compareMoves } from './moves';
import { providers } from './provider';

const dayMilliseconds = 86_400_000;

async function readOwn(
  provider: string,
  { from, to }: { from: Date; to: Date },
  references: readonly string[],
): Promise<OwnEntry[]> {
  const within = (table: string) =>
    sql`(${sql.ref(`${table}.created_at`)} >= ${from} and ${sql.ref(`${table}.created_at`)} < ${to})`;
  const asked = (table: string) =>
    sql`(${within(table)} or ${sql.ref(`${table}.reference`)} = any(${references}::text[]))`;
  const booked = (key: string) => sql`
    (select abs(line.amount_minor)::float8 from posting join posting_line line on posting_id = posting.id join money_account on money_account.id = account_id
      where key = ${key}::text || entry.id and money_account.kind = 'clearing')`;
  const prefix = `fee:${provider}:`;
  const { rows } = await sql<OwnEntry>`
    select 'payment' as kind, entry.reference, "order", amount_minor as "amountMinor", currency_id as "currencyId", status, ${booked('sale:')} as "bookedMinor", "isWithin"
    from (select payment.id, payment.reference, customer_order.reference as "order", payment.amount_minor, payment.currency_id, payment.status, ${within('payment')} as "isWithin"
      from payment join customer_order on customer_order.id = order_id where provider = ${provider} and payment.amount_minor > 0 and ${asked('payment')}) entry
    union all
    select 'refund', entry.reference, "order", amount_minor, currency_id, status, ${booked('refunded:')}, "isWithin"
    from (select refund.id, refund.reference, customer_order.reference as "order", refund.amount_minor, payment.currency_id, case refund.status when 'done' then 'succeeded' else 'pending' end as status,
        -- What was owed of a payment that was charged back the bank gave, and no refund.
        ${within('refund')} and payment.status <> 'disputed' as "isWithin"
      from refund join payment on payment.id = payment_id join customer_order on customer_order.id = order_id where provider = ${provider} and ${asked('refund')}) entry
    union all
    select 'payout', entry.reference, null, amount_minor, currency_id, status, ${booked('paid-out:')}, "isWithin"
    from (select id, reference, amount_minor, currency_id, case status when 'paid' then 'succeeded' when 'failed' then 'failed' else 'pending' end as status, ${within('payout')} as "isWithin"
      from payout where provider = ${provider} and ${asked('payout')}) entry
    union all
    select 'fee', substr(key, ${prefix.length + 1}::int), customer_order.reference, line.amount_minor::float8, money_account.currency_id, 'succeeded', line.amount_minor::float8, ${sql`(at >= ${from} and at < ${to})`}
    from posting left join customer_order on customer_order.id = order_id join posting_line line on posting_id = posting.id join money_account on money_account.id = line.account_id and money_account.kind = 'clearing'
    where posting.kind = 'fee' and starts_with(key, ${prefix}) and ((at >= ${from} and at < ${to}) or key = any(${references.map((reference) => `${prefix}${reference}`)}::text[]))
    order by 1, 2
  `.execute(database());
  return rows;
}

const keyOf = ({ kind, reference }: Pick<OwnEntry | ProviderEntry, 'kind' | 'reference'>) => `${kind} ${reference}`;

/** A payment or fee as its provider has it now, which was not in the list or was under way there; null where the provider knows nothing of it. */
async function readAgain(
  provider: Provider,
  { kind, reference, order }: OwnEntry,
): Promise<ProviderEntry | MoneyDifference | null> {
  try {
    if (kind === 'fee') {
      const fee = await provider.readFee(reference);
      return fee && { kind, reference, status: 'succeeded', ...fee };
    }
    const told = await provider.read(reference);
    return told && { kind: 'payment', id: reference, reference, ...told };
  } catch (error) {
    const what = `It could not be read again: ${error instanceof Error ? error.message : String(error)}`;
    return { provider: provider.name, kind, id: null, reference, order, what, canMend: false };
  }
}

/**
 * Product §8: holds what the providers moved in a period against orders, refunds, payouts and the books, and gives every difference; also what does not agree within the
 * books. Changes nothing.
 */
export async function compareWithProviders(period: { from: Date; to: Date }): Promise<MoneyDifference[]> {
  const differences: MoneyDifference[] = [];
  for (const provider of providers()) {
    const theirs: ProviderEntry[] = [];
    const unread: MoneyDifference[] = [];
    // What was decided at the edge of the period may be made a day later.
    const listed = { from: period.from, to: new Date(period.to.getTime() + dayMilliseconds) };
    for await (const entry of provider.list(listed)) theirs.push(entry);
    const moves = await compareMoves(provider, period, new Set(theirs.map(({ id }) => id)));
    theirs.push(...moves.fees);
    const own = await readOwn(
      provider.name,
      period,
      theirs.flatMap(({ reference, payment }) => [reference, payment].filter((each) => typeof each === 'string')),
    );
    // What was under way while it was listed may have been paid by the time that ours was read.
    const isPending = ({ status }: ProviderEntry) => status === 'pending';
    const places = new Map(theirs.map((entry, place) => [keyOf(entry), place]));
    const ended = new Set(theirs.filter((entry) => !isPending(entry)).map(keyOf));
    for (const entry of own) {
      const isAsked =
        entry.isWithin && (entry.kind === 'payment' || entry.kind === 'fee') && entry.bookedMinor !== null;
      if (!isAsked || ended.has(keyOf(entry))) continue;
      const again = await readAgain(provider, entry);
      if (again === null) continue;
      if ('what' in again) unread.push(again);
      else theirs[places.get(keyOf(entry)) ?? theirs.length] = again;
    }
    const told = differencesOf(provider.name, own, theirs);
    differences.push(
      ...unread,
      ...moves.differences,
      ...told.filter(({ reference }) => !unread.some((each) => each.reference === reference)),
    );
  }
  const problems = await listBookProblems();
  return [
    ...differences,
    ...problems.map((what) => ({
      provider: 'books',
      kind: 'books' as const,
      id: null,
      reference: null,
      order: null,
      what,
      canMend: false,
    })),
  ];
}
