import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { renewMemberships } from '@/lib/memberships/commands';
import { post, provider as firstProvider, setProvider } from '@/lib/money/commands';
import { listBookProblems } from '@/lib/money/queries';
import { saleLines } from '@/lib/money/rules';
import type { Provider, ProviderPayment } from '@/lib/money/schema';
import { arrayOf, database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import { inWords, say } from './benchmark';
import { benchNow } from './settled-tips';

const amountMinor = 2_000;
const reportedEvery = 10_000;
const paidAtOnce = 500;
const linesOf = (owner: number) => saleLines({ owner, amountMinor, taxMinor: 0 });
const begun = new Date(benchNow.getTime() - 7 * 86_400_000);

/** Fills the shop: members of portfolios, each with a card that was kept and a week that is over. */
async function fill(members: number, portfolios: number): Promise<void> {
  await sql`insert into account (username, created_at) select 'renewed-' || number, ${begun}::timestamptz from generate_series(1, ${members}::int) number`.execute(
    database(),
  );
  await sql`insert into account (username, created_at) select 'selling-' || number, ${begun}::timestamptz from generate_series(1, ${portfolios}::int) number`.execute(
    database(),
  );
  await sql`
    insert into portfolio (reference, owner_id, name, visibility, created_at)
    select 'selling' || translate(lpad(substr(username, 9), 5, '0'), '0123456789', 'abcdefghij'), id, 'Selling ' || id, ${PortfolioVisibility.premium}, ${begun}::timestamptz from account where username like 'selling-%'
  `.execute(database());
  await sql`insert into plan (portfolio_id, period, on_sale, created_at) select id, 'week', true, ${begun}::timestamptz from portfolio where reference like 'selling%'`.execute(
    database(),
  );
  await sql`insert into plan_price (plan_id, currency_id, amount_minor) select id, ${CurrencyId.GBP}::smallint, ${amountMinor}::int from plan`.execute(
    database(),
  );
  await sql`
    insert into payment_method (account_id, provider, provider_method, label, created_at) select id, 'sandbox', 'card-card-' || id, 'Card', ${begun}::timestamptz from account where username like 'renewed-%'
  `.execute(database());
  await sql`
    insert into membership (reference, account_id, portfolio_id, plan_id, method_id, currency_id, amount_minor, counted_from, periods, starts_at, ends_at, period_starts_at, period_ends_at, next_at)
    select translate(lpad(account_id::text, 10, '0'), '0123456789', 'abcdefghij'), account_id, selling.portfolio_id, selling.plan_id, payment_method.id, ${CurrencyId.GBP}::smallint, ${amountMinor}::int, ${begun}::timestamptz, 1,
      ${begun}::timestamptz, ${benchNow}::timestamptz + interval '3 days', ${begun}::timestamptz, ${benchNow}::timestamptz, ${benchNow}::timestamptz
    from payment_method join (select portfolio_id, id as plan_id, row_number() over (order by id) - 1 as place from plan) selling on selling.place = account_id % ${portfolios}::int
  `.execute(database());
  await fillBooks(members);
  await sql`analyze`.execute(database());
}

/** What each member paid for the week that is over: the order, its payment, the posting of the sale and the receipt. */
async function fillBooks(members: number): Promise<void> {
  const { rows: owners } = await sql<{ id: number }>`select id from account where username like 'selling-%'`.execute(
    database(),
  );
  for (const { id } of owners)
    await transact(() => post({ key: `open:${id}`, kind: 'sale', currencyId: CurrencyId.GBP }, linesOf(id), benchNow));
  const lines = linesOf(0);
  for (let first = 1; first <= members; first += paidAtOnce) {
    // What the checks of the books ask is planned by what is known of the tables.
    if (first === 1 + paidAtOnce) await sql`analyze posting, posting_line, customer_order, payment`.execute(database());
    await sql`
      with due as (
        select *, row_number() over (order by id) as number from membership order by id limit ${paidAtOnce} offset ${first - 1}
      ), ordered as (
        insert into customer_order (reference, account_id, portfolio_id, plan_id, membership_id, kind, period_number, period_starts_at, currency_id, full_minor, amount_minor, tax_minor, terms, status,
          idempotency_key, request_hash, created_at, expires_at, changed_at)
        select reference, account_id, portfolio_id, plan_id, id, 'first', 1, period_starts_at, currency_id, amount_minor, amount_minor, 0, '{}', 'paid', reference, reference, starts_at, starts_at, starts_at from due
        returning *
      ), paid as (
        insert into payment (reference, order_id, attempt, provider, currency_id, amount_minor, status, created_at, changed_at)
        select reference || reference, id, 1, 'sandbox', currency_id, amount_minor, 'succeeded', created_at, created_at from ordered returning id, order_id
      ), posted as (
        insert into posting (key, kind, at, order_id, payment_id, portfolio_id)
        select 'sale:' || paid.id, 'sale', created_at, order_id, paid.id, portfolio_id from paid join ordered on ordered.id = order_id returning id, portfolio_id
      ), booked as (
        insert into posting_line (posting_id, account_id, amount_minor)
        select posted.id, money_account.id, line.amount_minor from posted join portfolio on portfolio.id = portfolio_id
        cross join unnest(${lines.map(({ owner }) => owner !== null)}::bool[], ${lines.map(({ kind }) => kind)}::text[], ${arrayOf(lines.map((line) => line.amountMinor))}::bigint[]) line (is_own, kind, amount_minor)
        join money_account on money_account.kind = line.kind and money_account.owner_id is not distinct from case when is_own then portfolio.owner_id end
      ), counted as (update receipt_end set number = number + (select count(*) from ordered) returning number)
      insert into receipt (number, account_id, order_id, issued_at, currency_id, amount_minor, tax_minor, details)
      select counted.number - (select count(*) from ordered) + row_number() over (order by id), account_id, id, created_at, currency_id, amount_minor, 0, '{}' from counted, ordered order by 1
    `.execute(database());
  }
}

/** A provider that takes so long for each answer and keeps what it took in memory. */
function slowProvider(milliseconds: number): { provider: Provider; calls: () => number; charges: Map<string, number> } {
  const charges = new Map<string, number>();
  let calls = 0;
  const answer = async (payment: ProviderPayment | null) => {
    calls += 1;
    await sleep(milliseconds);
    return payment;
  };
  const paid = (reference: string): ProviderPayment | null =>
    charges.has(reference)
      ? {
          status: 'succeeded',
          amountMinor: charges.get(reference) ?? 0,
          currencyId: CurrencyId.GBP,
          method: null,
          failure: null,
        }
      : null;
  return {
    charges,
    calls: () => calls,
    provider: {
      ...firstProvider(),
      charge: async ({ reference, amountMinor: asked }) => {
        charges.set(reference, asked);
        return (await answer(paid(reference))) as ProviderPayment;
      },
      read: (reference) => answer(paid(reference)),
    },
  };
}

async function countLeft(): Promise<{ left: number; renewed: number }> {
  const { rows } = await sql<{ left: number; renewed: number }>`
    select count(*) filter (where periods = 1)::int as left, count(*) filter (where periods = 2)::int as renewed from membership
  `.execute(database());
  return rows[0] ?? { left: 0, renewed: 0 };
}

/** Renews so many memberships that fall due at once, at a provider that takes so long to answer; gives the exit code. */
export async function measureRenewals({
  members,
  portfolios,
  milliseconds,
}: {
  members: number;
  portfolios: number;
  milliseconds: number;
}): Promise<number> {
  say(`Making ${inWords(members)} members of ${inWords(portfolios)} portfolios…`);
  await fill(members, portfolios);
  const { provider, calls, charges } = slowProvider(milliseconds);
  setProvider(provider);
  const [start, busy] = [performance.now(), process.cpuUsage()];
  const seconds = () => (performance.now() - start) / 1000;
  let reported = 0;
  const progress = setInterval(() => {
    if (charges.size - reported < reportedEvery) return;
    reported = charges.size;
    say(`${inWords(reported)} charged in ${seconds().toFixed(0)} s`);
  }, 500);
  try {
    // By the clock a run follows the other, a few seconds later, until nothing is due.
    while ((await countLeft()).left > 0 && (await decidedAt(benchNow, () => renewMemberships(benchNow))) > 0);
  } finally {
    clearInterval(progress);
    setProvider(null);
  }
  const took = seconds();
  const { user, system } = process.cpuUsage(busy);
  const { left, renewed } = await countLeft();
  const problems = await listBookProblems();
  for (const problem of problems) say(`Error: ${problem}`);
  if (left > 0) say(`Error: ${inWords(left)} memberships were not renewed.`);
  if (charges.size !== members) say(`Error: ${inWords(charges.size)} charges were made.`);
  process.stdout.write(
    `${inWords(renewed)} memberships renewed in ${took.toFixed(1)} s, ${(renewed / took).toFixed(0)} a second, at a provider that answers in ${milliseconds} ms and was asked ${(calls() / members).toFixed(1)} times for each, with ${((user + system) / 1_000 / members).toFixed(1)} ms of this program's processor each; 100,000 would take ${(((100_000 / renewed) * took) / 60).toFixed(1)} min.\n`,
  );
  return problems.length === 0 && left === 0 && charges.size === members ? 0 : 1;
}
