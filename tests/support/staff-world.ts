import { sql } from 'kysely';
import { readOrder, setPlans, startCheckout } from '@/lib/memberships/commands';
import { chooseOutcome } from '@/lib/money/commands';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import { openAccount } from './accounts';
import { publishTip, settleDueTips } from './moments';
import { join, offer, openShop } from './members';
import { worldNow } from './world';

/** What staff act on in the tests: references, and the numbers of accounts. */
export type StaffWorld = {
  bob: number;
  portfolio: string;
  tip: string;
  coming: string;
  played: string;
  race: string;
  runRace: string;
  order: string;
  payout: string;
  /** The number of a difference between a provider of payments and the books. */
  difference: string;
  /** Of the news: numbers of one notification that failed, one that waits, one that was sent; of a mail, a webhook delivery and a stopped address; of an event that was spread, and one that was not. */
  news: Record<'failed' | 'waiting' | 'sent' | 'mail' | 'webhook' | 'bounce' | 'spread' | 'unspread', string>;
};

async function race(reference: string, startsAt: string): Promise<void> {
  await sql`insert into league (sport_id, reference, name, rank) values (2, 'fernholt-races', 'Fernholt', 100) on conflict do nothing`.execute(
    database(),
  );
  const made = await sql<{ id: number }>`
    insert into fixture (reference, league_id, name, starts_at, start_time_known, sources)
    select ${reference}, id, ${`Fernholt ${reference}`}, ${startsAt}::timestamptz, true, '{test}' from league where reference = 'fernholt-races' returning id
  `.execute(database());
  for (const [position, name] of ['Tin Whistle', 'Slow Air', 'Old Ferry', 'North Wall'].entries())
    await sql`
      with named as (insert into participant (sport_id, reference, name) values (2, ${`${reference}-${position}`}, ${name}) returning id)
      insert into runner (fixture_id, participant_id, position) select ${made.rows[0]?.id ?? 0}, id, ${position} from named
    `.execute(database());
}

const idOf = async (query: ReturnType<typeof sql<{ id: number }>>) =>
  String((await query.execute(database())).rows[0]?.id ?? '');

/** An event for one account, as staff write to a member. */
const eventFor = (accountId: number, key: string) =>
  idOf(sql<{ id: number }>`
    insert into event (key, kind, at, account_id, details) values (${key}, 'staff', ${worldNow}, ${accountId}, '{"title": "A word", "body": "In secret.", "path": null}') returning id
  `);

const deliver = (
  event: string,
  accountId: number,
  of: { channel: string; state: string; because?: string; attempts?: number; seconds?: number },
) =>
  idOf(sql<{ id: number }>`
    insert into delivery (event_id, account_id, channel, state, because, attempts, next_at)
    values (${event}::bigint, ${accountId}, ${of.channel}, ${of.state}, ${of.because ?? null}, ${of.attempts ?? 0}, ${worldNow}::timestamptz + make_interval(secs => ${of.seconds ?? 0})) returning id
  `);

/** Puts news of every state into the queues: to this account, and of this portfolio. */
async function queueNews(accountId: number, portfolioId: number): Promise<StaffWorld['news']> {
  const [spread, unspread] = [await eventFor(accountId, 'staff:spread'), await eventFor(accountId, 'staff:unspread')];
  await sql`insert into event_spread (event_id) values (${unspread}::bigint)`.execute(database());
  await sql`
    insert into webhook (portfolio_id, address, secret, since) values (${portfolioId}, 'https://hooks.example/a-key-in-the-path', 'whsec_secret', ${worldNow})
  `.execute(database());
  return {
    spread,
    unspread,
    sent: await deliver(spread, accountId, { channel: 'app', state: 'sent' }),
    waiting: await deliver(spread, accountId, { channel: 'email', state: 'waiting', seconds: 3_600 }),
    failed: await deliver(spread, accountId, { channel: 'push', state: 'dropped', because: 'refused', attempts: 10 }),
    mail: await idOf(sql<{ id: number }>`
      insert into mail_outbox (recipient, subject, text, html, created_at, next_at, attempts, failure)
      values ('bob@example.org', '123456 is your Tipledger code', 'Enter 123456.', '<p>123456</p>', ${worldNow}::timestamptz - interval '1 day', ${worldNow}::timestamptz - interval '1 hour', 12, '421 Try later') returning id
    `),
    webhook: await idOf(sql<{ id: number }>`
      insert into webhook_delivery (portfolio_id, event_key, kind, body, state, attempts, next_at, created_at, answered_at, status)
      values (${portfolioId}, 'tip:1', 'tip', '{"a": "secret"}', 'failed', 10, ${worldNow}, ${worldNow}, ${worldNow}, 503) returning id
    `),
    bounce: await idOf(sql<{ id: number }>`
      insert into mail_stop (address, because, at) values ('gone@example.org', '550 5.1.1 No such user', ${worldNow}) returning id
    `),
  };
}

/** Puts a member, a portfolio with a tip that is open, an order that was paid, a payout that waits, and races into the named world. */
export async function buildStaffWorld(): Promise<StaffWorld> {
  const bob = await openAccount('bob', {}, worldNow);
  const { reference, owner, id } = await openShop(
    'ann',
    { name: 'Ann Football', visibility: PortfolioVisibility.premium },
    worldNow,
  );
  const legs = [await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365')];
  const tip = await publishTip(owner, reference, { legs, stakeHundredths: 100, idempotencyKey: 'a' }, worldNow);
  const buyer = await join('cleo', worldNow);
  const order = await decidedAt(worldNow, async () => {
    const prices = [{ currencyId: CurrencyId.GBP, amountMinor: 2000 }];
    const plans = [{ period: 'month' as const, onSale: true, prices }];
    await setPlans(owner, reference, { mainCurrencyId: CurrencyId.GBP, plans }, undefined, worldNow);
    const made = await startCheckout(buyer, { portfolio: reference, period: 'month', amountMinor: 2000 }, 'one');
    await chooseOutcome(made.payUrl?.split('/').at(-1) ?? '', 'success');
    await readOrder(buyer, made.reference);
    return made.reference;
  });
  const payout = 'p'.repeat(20);
  await sql`
    insert into payout (reference, owner_id, portfolio_id, currency_id, amount_minor, provider, status, created_at, changed_at)
    select ${payout}, owner_id, id, ${CurrencyId.GBP}, 200000, 'sandbox', 'asked', ${worldNow}, ${worldNow} from portfolio where id = ${id}
  `.execute(database());
  await race('fernholt-2026-03-12', '2026-03-12T15:00:00.000Z');
  await race('fernholt-2026-03-09', '2026-03-09T15:00:00.000Z');
  await settleDueTips(worldNow);
  return {
    bob,
    portfolio: reference,
    tip: tip.reference,
    coming: 'city-v-rovers-2026-03-14',
    played: 'town-v-city-2026-03-08',
    race: 'fernholt-2026-03-12',
    runRace: 'fernholt-2026-03-09',
    order,
    payout,
    difference: await idOf(sql<{ id: number }>`
      insert into money_difference (mark, provider, kind, entry, order_reference, what, period_from, period_to, found_at, seen_at)
      values ('a', 'sandbox', 'payment', 'pi_1', ${order}, 'The provider has it as succeeded, we have it as failed.', ${worldNow}, ${worldNow}, ${worldNow}, ${worldNow}) returning id
    `),
    news: await queueNews(bob, id),
  };
}
