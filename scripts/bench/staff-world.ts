import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import { staffActions } from '@/lib/staff/schema';
import { benchNow } from './settled-tips';

/** How much there is for staff to look through; tips and notifications are as many as orders, portfolios a tenth of the users. */
export type StaffWorld = { users: number; orders: number; fixtures: number };

/** The people, orders and fixtures that are certainly there, in the middle of each kind, by what staff would type. */
export const known = ({ users, orders, fixtures }: StaffWorld) => ({
  username: `account-${Math.ceil(users / 2)}`,
  email: `account-${Math.ceil(users / 2)}@example.org`,
  number: String(Math.ceil(users / 2)),
  owner: `account-${Math.ceil(users / 20)}`,
  portfolio: `portfolio-${Math.ceil(users / 20)}`,
  order: String(Math.ceil(orders / 2)).padStart(10, '0'),
  payout: String(Math.ceil(orders / 200)).padStart(20, '0'),
  fixture: `fixture-${Math.ceil(fixtures / 2)}`,
});

const actions = Object.keys(staffActions);

const at = (id: string, days: number) =>
  sql`${benchNow}::timestamptz - interval '1 minute' * (${sql.raw(id)} * ${days}::int % 1000000)`;

/** Fills an empty database with people, what they bought and were paid, fixtures with their tips, names of feeds and the log, the same each time. */
export async function fillStaffWorld({ users, orders, fixtures }: StaffWorld): Promise<void> {
  const portfolios = Math.max(1, Math.round(users / 10));
  const payouts = Math.max(1, Math.round(orders / 100));
  const aside = Math.max(1, Math.round(fixtures / 10));
  const events = Math.max(1, Math.round(orders / 50));
  const statements = [
    // Each row names what was written just before: the database need not look it up for every one.
    sql`select set_config('session_replication_role', 'replica', true) from pg_roles where rolname = current_user and rolsuper`,
    sql`set local statement_timeout = 0`,
    sql`insert into account (id, username, email, email_confirmed, role, created_at) overriding system value
      select id, 'account-' || id, 'account-' || id || '@example.org', id % 20 <> 0, case when id % 1000 = 0 then 1 else 0 end, ${at('id', 50)} from generate_series(1, ${users}::int) id`,
    sql`insert into suspension (account_id, reason) select id, 'Spam.' from generate_series(7, ${users}::int, 500) id`,
    sql`insert into session (id, account_id, cookie_hash, address, device, created_at, used_at, expires_at)
      select 'session-' || id, id, 'hash-' || id, '192.0.2.1', 'Browser', ${at('id', 9)}, ${at('id', 9)}, ${benchNow} from generate_series(1, ${users}::int) id`,
    sql`insert into portfolio (id, reference, owner_id, name, visibility, tipledger_pro, created_at) overriding system value
      select id, 'portfolio-' || id, id, 'Portfolio ' || id, 1 + id % 3, id % 50 = 0, ${at('id', 50)} from generate_series(1, ${portfolios}::int) id`,
    sql`insert into portfolio_feature (portfolio_id) select id from generate_series(3, ${portfolios}::int, 400) id`,
    sql`insert into portfolio_hold (portfolio_id, visibility) select id, 1 from generate_series(4, ${portfolios}::int, 400) id`,
    sql`insert into league (id, sport_id, reference, name) overriding system value
      select id, 1 + id % 20, 'league-' || id, 'League ' || id from generate_series(1, 200) id`,
    sql`insert into fixture (id, reference, league_id, name, starts_at, start_time_known, status, sources) overriding system value
      select id, 'fixture-' || id, 1 + id % 200, 'Fixture ' || id, ${at('id', 30)}, true, case when id % 500 = 0 then 'retry' when id % 300 = 0 then 'pending' when id % 20 = 0 then 'awaiting-result' else 'complete' end, '{bench}'
      from generate_series(1, ${fixtures}::int) id`,
    sql`insert into fixture_result (fixture_id, version, home_score, away_score, source, recorded_at)
      select id, 1, 2, 1, 'bench', starts_at from fixture where status = 'complete'`,
    sql`insert into market (id, fixture_id, kind) overriding system value select id, id, 'moneyline' from generate_series(1, ${fixtures}::int) id`,
    sql`insert into selection (id, market_id, key, name, position) overriding system value select id, id, 'home', 'Home', 0 from generate_series(1, ${fixtures}::int) id`,
    sql`insert into tip (id, reference, portfolio_id, idempotency_key, request_hash, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis, publication) overriding system value
      select id, lpad(id::text, 10, '0'), 1 + id % ${portfolios}::int, id, '', ${at('id', 5)}, ${at('id', 5)} + interval '1 hour', 100, false, true, false, '', '{}' from generate_series(1, ${orders}::int) id`,
    sql`insert into tip_leg (tip_id, position, fixture_id, market_id, selection_id, bookmaker_id, odds_thousandths, price_at, starts_at)
      select tip.id, 1, fixture, fixture, fixture, 1, 2000, published_at, first_starts_at from (select *, 1 + id % ${fixtures}::int as fixture from tip) tip`,
    sql`insert into tip_settlement (tip_id, version, ordinal, outcome, staked_hundredths, return_microunits, profit_microunits, level_staked_hundredths, level_profit_microunits, legs, facts, results, actor, settled_at)
      overriding system value
      select id, 1, id, 'won', 100, 2000000, 1000000, 100, 1000000, '[]', '[]', '{}', case when id % 2000 = 1 then 'staff:1' else 'system' end, first_starts_at + interval '3 hours' from tip where id % 20 <> 0`,
    sql`insert into plan (id, portfolio_id, period, on_sale, created_at) overriding system value select id, id, 'month', true, ${benchNow} from generate_series(1, ${portfolios}::int) id`,
    sql`insert into membership (id, account_id, portfolio_id, starts_at, ends_at, ended_at) overriding system value
      select id, id, 1 + id % ${portfolios}::int, ${benchNow}::timestamptz - interval '9 days', ${benchNow}::timestamptz + interval '20 days', null from generate_series(1, ${users}::int) id`,
    sql`insert into customer_order (id, reference, account_id, portfolio_id, plan_id, kind, membership_id, period_number, currency_id, full_minor, amount_minor, tax_minor, terms, status, idempotency_key, request_hash, created_at, expires_at, changed_at)
      overriding system value
      select id, lpad(id::text, 10, '0'), 1 + id % ${users}::int, 1 + id % ${portfolios}::int, 1 + id % ${portfolios}::int, 'first', 1 + id % ${users}::int, 1, 1, 2000, 2000, 0, '{}',
        case when id % 25 = 0 then 'failed' when id % 40 = 1 then 'cancelled' when id % 5000 = 2 then 'expired' else 'paid' end, id, '', ${at('id', 4)}, ${at('id', 4)}, ${at('id', 4)} from generate_series(1, ${orders}::int) id`,
    sql`insert into payment (id, reference, order_id, attempt, provider, currency_id, amount_minor, status, created_at, changed_at) overriding system value
      select id, lpad(id::text, 20, '0'), id, 1, 'sandbox', 1, 2000, case status when 'paid' then case when id % 4000 = 3 then 'disputed' else 'succeeded' end else 'failed' end, created_at, created_at from customer_order`,
    sql`insert into refund (reference, payment_id, amount_minor, because, status, created_at, changed_at)
      select reference, id, 500, 'Asked.', 'done', created_at, created_at from payment where id % 1000 = 4 and status = 'succeeded'`,
    sql`insert into payout (id, reference, owner_id, portfolio_id, currency_id, amount_minor, provider, status, created_at, changed_at) overriding system value
      select id, lpad(id::text, 20, '0'), 1 + id % ${portfolios}::int, 1 + id % ${portfolios}::int, 1, 5000, 'sandbox', case when id % 400 = 5 then 'failed' else 'paid' end, ${at('id', 4)}, ${at('id', 4)} from generate_series(1, ${payouts}::int) id`,
    sql`insert into coupon (portfolio_id, code, percent, once_each, created_at) select null, 'SITE' || id, 10, true, ${benchNow} from generate_series(1, 200) id`,
    sql`insert into feed_run (feed, place, began_at, ended_at)
      select (array['the-odds-api', 'football-data', 'openfootball'])[1 + id % 3], 'a place', ${at('id', 10)}, ${at('id', 10)} from generate_series(1, ${aside * 5}::int) id`,
    sql`insert into feed_unmatched (id, kind, sport_id, name, seen_in, feed, first_seen_at, decided_at) overriding system value
      select id, 'participant', 1, 'Name ' || id, 'A league', 'openfootball', ${at('id', 10)}, case when id % 50 <> 0 then ${benchNow}::timestamptz end from generate_series(1, ${aside}::int) id`,
    sql`insert into feed_waiting (feed, digest, identity, line, fixture, needs, came_at, entered_at)
      select 'openfootball', id::text, id::text, 1, '{}', array[id], ${at('id', 10)}, case when id % 50 <> 0 then ${benchNow}::timestamptz end from generate_series(1, ${aside}::int) id`,
    sql`insert into staff_action (actor_id, actor_role, action, subject_kind, subject, reason, before, after)
      select 1000, 'admin', (${actions}::text[])[1 + id % ${actions.length}::int], 'fixture', 'fixture-' || id, 'A reason.', '{}', '{"Means": 1}' from generate_series(1, ${aside * 5}::int) id`,
    sql`insert into event (id, key, kind, at, portfolio_id) overriding system value
      select id, 'event-' || id, case when id % 1000 = 1 then 'payout' when id % 10 = 2 then 'post' else 'tip' end, ${benchNow}::timestamptz - interval '1 second' * (${events}::int - id), 1 + id % ${portfolios}::int from generate_series(1, ${events}::int) id`,
    // Of a hundred: half stand in the list, 43 are mails, of which some wait, the others pushes, of which few failed; one in two thousand goes to Telegram.
    sql`insert into delivery (event_id, account_id, channel, state, because, digest, next_at, attempts)
      select 1 + id / 50, 1 + (id / 2) % ${users}::int, channel, state, case when state = 'dropped' then case when id % 300 = 5 then 'refused' else 'not wanted any more' end end, channel = 'email' and id % 7 = 0, ${benchNow}, 0
      from (select id, case when id % 2 = 0 then 'app' when id % 2000 = 1 then 'telegram' when id % 100 < 86 then 'email' else 'push' end as channel,
        case when id % 2 = 0 then 'sent' when id % 100 = 5 then 'dropped' when id % 25 = 3 then 'waiting' else 'sent' end as state from generate_series(0, ${orders - 1}::int) id) of`,
    sql`insert into event_spread (event_id) select id from event where id % 20 = 0`,
    sql`insert into mail_outbox (recipient, subject, text, html, created_at, next_at, attempts, failure)
      select 'account-' || 1 + id % ${users}::int || '@example.org', 'News', repeat('A line of text. ', 40), repeat('<p>A line of text.</p>', 80), ${at('id', 9)}, ${benchNow}, case when id % 100 = 1 then 12 else 0 end, case when id % 100 = 1 then '421 Later' end
      from generate_series(1, ${aside * 5}::int) id`,
    sql`insert into mail_stop (address, because, at, by_staff) select 'account-' || id || '@example.org', '550 No such user', ${at('id', 9)}, id % 100 = 0 from generate_series(1, ${users}::int, 2) id`,
    sql`insert into webhook (portfolio_id, address, secret, since) select id, 'https://hooks.example/' || id, 'whsec', ${benchNow} from generate_series(1, ${portfolios}::int) id`,
    sql`insert into webhook_delivery (portfolio_id, event_key, kind, body, state, attempts, next_at, created_at)
      select 1 + id % ${portfolios}::int, 'event-' || id, 'tip', '{}', case when id % 1000 = 1 then 'failed' when id % 1000 = 2 then 'waiting' else 'sent' end, 1, ${benchNow}, ${at('id', 9)} from generate_series(1, ${aside * 10}::int) id`,
  ];
  await transact(async () => {
    for (const statement of statements) await statement.execute(database());
  });
  await sql`vacuum analyze`.execute(database());
}
