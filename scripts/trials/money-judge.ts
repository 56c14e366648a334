import { sql } from 'kysely';
import { listBookProblems } from '@/lib/money/queries';
import { database } from '@/lib/platform/database';
import type { Holdings, Moved } from './money-houses';

type Own = { reference: string; amountMinor: number };

const doubled = (moved: readonly Moved[]) => {
  const seen = new Set<string>();
  return moved.filter(({ reference }) => seen.size === seen.add(reference).size);
};

/** What one side has and the other has not, or has with another amount. */
function apart(what: string, theirs: readonly Moved[], ours: readonly Own[]): string[] {
  const known = new Map(ours.map(({ reference, amountMinor }) => [reference, amountMinor]));
  const moved = new Map(theirs.map(({ reference, amountMinor }) => [reference, amountMinor]));
  return [
    ...doubled(theirs).map(({ reference }) => `${what} ${reference} was made twice.`),
    ...theirs.flatMap(({ reference, amountMinor }) =>
      known.get(reference) === amountMinor
        ? []
        : [`${what} ${reference} of ${amountMinor} is ${known.get(reference) ?? 'nothing'} with us.`],
    ),
    ...ours.flatMap(({ reference, amountMinor }) =>
      moved.has(reference) ? [] : [`${what} ${reference} of ${amountMinor} is nothing at the provider.`],
    ),
  ];
}

const told = async (query: ReturnType<typeof sql<{ what: string }>>) =>
  (await query.execute(database())).rows.map(({ what }) => what);

/** What does not agree between orders, memberships and payouts as the database holds them, in sentences: nothing of it asks the program. */
async function differing(now: Date): Promise<string[]> {
  return (
    await Promise.all([
      told(sql`
        select format('Order %s is %s, was charged, and %s of %s came back.', customer_order.reference, customer_order.status, coalesce(given, 0), payment.amount_minor) as what
        from payment join customer_order on customer_order.id = order_id left join lateral (select sum(refund.amount_minor) as given from refund where payment_id = payment.id) back on true
        where payment.status = 'succeeded' and payment.amount_minor > 0 and customer_order.status <> 'paid' and coalesce(given, 0) <> payment.amount_minor
      `),
      told(sql`
        select format('Period %s of membership %s was charged %s times.', period_number, membership_id, count(*)) as what
        from payment join customer_order on customer_order.id = order_id where payment.status in ('succeeded', 'disputed') and membership_id is not null group by membership_id, period_number having count(*) > 1
      `),
      told(sql`
        select format('Order %s is paid and opens nothing.', customer_order.reference) as what from customer_order left join membership on membership.id = membership_id
        where customer_order.status = 'paid' and (membership.id is null or membership.periods < period_number
          or (membership.ended_at is null and membership.period_ends_at > ${now} and not (membership.starts_at <= ${now} and membership.ends_at > ${now})))
      `),
      told(sql`
        select format('Membership %s has %s periods and %s paid orders.', membership.id, periods, paid) as what
        from membership join lateral (select count(*) as paid from customer_order where membership_id = membership.id and status = 'paid') bought on true where plan_id is not null and periods <> paid
      `),
      told(sql`
        select format('Membership %s fell due at %s and nothing became of it.', id, period_ends_at) as what from membership
        where plan_id is not null and ended_at is null and period_ends_at <= ${now} and past_due_at is null
      `),
      told(sql`
        select format('Order %s is still %s.', reference, status) as what from customer_order
        where (status = 'open' and expires_at <= ${now})
          or (status = 'processing' and not exists (select from payment where order_id = customer_order.id and (status = 'pending' or (kind = 'renewal' and status in ('failed', 'cancelled')))))
      `),
      told(sql`select format('Refund %s is still owed.', reference) as what from refund where status = 'owed'`),
      told(
        sql`select format('Payout %s is still %s.', reference, status) as what from payout where status in ('asked', 'approved') and amount_minor <= 100000`,
      ),
      told(sql`
        select format('Portfolio %s was paid out %s of %s that became payable.', portfolio_id, paid, released) as what
        from (select portfolio_id, sum(amount_minor) as paid from payout where status <> 'failed' group by portfolio_id) sent
        join lateral (select coalesce(sum(line.amount_minor), 0) as released from posting join posting_line line on posting_id = posting.id join money_account on money_account.id = account_id
          where posting.portfolio_id = sent.portfolio_id and posting.kind = 'release' and money_account.kind = 'payable') earned on true
        where paid > released
      `),
      told(sql`
        select format('Payment %s has %s receipts.', payment.reference, receipts) as what
        from payment join lateral (select count(*) as receipts from receipt where receipt.order_id = payment.order_id and refund_id is null) given on true
        where payment.status in ('succeeded', 'disputed') and amount_minor > 0 and receipts <> 1
      `),
      told(sql`
        select format('There are %s receipts, and the last one is number %s.', count(*), max(number)) as what from receipt having count(*) <> max(number)
      `),
      told(sql`
        select format('Order %s is paid and its member was told %s times.', membership_id, heard) as what
        from (select membership_id, count(*) as paid from customer_order where status = 'paid' group by membership_id) bought
        join lateral (select count(*) as heard from event where key ~ ('^membership:' || membership_id || ':(joined|renewed):')) told on true where heard <> paid
      `),
    ])
  ).flat();
}

/** Holds all that a provider holds against orders, memberships, payouts and the books, by another way than the program's; gives what does not agree, in sentences. */
export async function judgeMoney(holdings: Holdings, now: Date): Promise<string[]> {
  const { taken, givenBack, paidOut, keptMinor } = holdings;
  const { rows: own } = await sql<Own & { kind: 'payment' | 'refund' | 'payout' }>`
    select 'payment' as kind, reference, amount_minor as "amountMinor" from payment where status in ('succeeded', 'disputed') and amount_minor > 0
    union all select 'refund', refund.reference, refund.amount_minor from refund join payment on payment.id = payment_id
      where refund.status = 'done' and (payment.status <> 'disputed' or refund.reference = any(${givenBack.map(({ reference }) => reference)}::text[]))
    union all select 'payout', reference, amount_minor from payout where status = 'paid'
  `.execute(database());
  const ours = (kind: string) => own.filter((each) => each.kind === kind);
  const { rows } = await sql<{ clearing: number }>`
    select coalesce(sum(line.amount_minor), 0)::float8 as clearing from posting_line line join money_account on money_account.id = account_id where kind = 'clearing'
  `.execute(database());
  const sum = (moved: readonly Moved[]) => moved.reduce((all, { amountMinor }) => all + amountMinor, 0);
  const backOf = (reference: string) => sum(givenBack.filter(({ payment }) => payment === reference));
  const lost = taken
    .filter(({ isDisputed }) => isDisputed)
    .reduce((all, { reference, amountMinor }) => all + amountMinor - backOf(reference), 0);
  const there = sum(taken) - sum(givenBack) - lost - sum(paidOut) - keptMinor;
  const booked = -(rows[0]?.clearing ?? 0);
  return [
    ...apart('Payment', taken, ours('payment')),
    ...apart('Refund', givenBack, ours('refund')),
    ...apart('Payout', paidOut, ours('payout')),
    ...taken.flatMap(({ reference, amountMinor }) =>
      backOf(reference) > amountMinor ? [`More of payment ${reference} was given back than was taken.`] : [],
    ),
    ...(there === booked ? [] : [`The provider has ${there} of ours, and the books say ${booked}.`]),
    ...(await differing(now)),
    ...(await listBookProblems()),
  ];
}
