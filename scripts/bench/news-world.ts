import { sql } from 'kysely';
import { member } from '@/lib/http/viewer';
import { setPlans } from '@/lib/memberships/commands';
import { database } from '@/lib/platform/database';
import { CurrencyId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import type { Arrival, Sinks } from './news-sinks';

/** How many follow, and how many of them are members. */
export type Crowd = { followers: number; members: number };

const ways = ['app', 'mail', 'push'] as const;
const sorts = { quiet: 7, digest: 11, blocked: 13, ended: 17, leaving: 19 } as const;
const outOf = 50;

/** By which way a reader is told, and what is particular about a few of them. */
const readerOf = (number: number) => ({
  way: ways[number % ways.length] ?? 'app',
  sort: (Object.keys(sorts) as (keyof typeof sorts)[]).find((sort) => number % outOf === sorts[sort]) ?? 'plain',
});

const isSort = (sort: keyof typeof sorts) => sql.raw(`number % ${outOf} = ${sorts[sort]}`);
const isWay = (way: (typeof ways)[number]) => sql.raw(`number % ${ways.length} = ${ways.indexOf(way)}`);

/** Lets readers of every sort follow a portfolio, which sells its tips to some of them from now on. */
export async function fillCrowd(reference: string, { followers, members }: Crowd, sinks: Sinks): Promise<void> {
  const db = database();
  await sql`update portfolio set visibility = ${PortfolioVisibility.premium} where reference = ${reference}`.execute(
    db,
  );
  const { rows } = await sql<{
    id: number;
    ownerId: number;
  }>`select id, owner_id as "ownerId" from portfolio where reference = ${reference}`.execute(db);
  const { id = 0, ownerId = 0 } = rows[0] ?? {};
  const owner = member({ accountId: ownerId, role: Role.user, pro: false, owns: [id], subscribes: [] });
  const prices = [{ currencyId: CurrencyId.GBP, amountMinor: 2_000 }];
  const plans = [{ period: 'month' as const, onSale: true, prices }];
  await setPlans(owner, reference, { mainCurrencyId: CurrencyId.GBP, memberLimit: null, plans }, undefined, new Date());
  await sql`
    create unlogged table bench_reader as
    with made as (
      insert into account (username, email, email_confirmed, created_at)
      select 'reader-' || n, 'reader-' || n || '@example.org', true, now() from generate_series(1, ${followers}::int) n returning id, username)
    select id, substr(username, 8)::int as number from made
  `.execute(db);
  await sql`insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at) select id, ${id}::int, 100, now() from bench_reader`.execute(
    db,
  );
  await sql`
    insert into membership (account_id, portfolio_id, starts_at, ends_at)
    select id, ${id}::int, now() - interval '20 days', case when ${isSort('ended')} then now() - interval '1 hour' else now() + interval '10 days' end
    from bench_reader where number <= ${members}
  `.execute(db);
  await sql`insert into news_choice (account_id, topic, channel, wanted) select id, 'tip', 'email', false from bench_reader where not ${isWay('mail')}`.execute(
    db,
  );
  await sql`
    insert into push_subscription (account_id, endpoint, p256dh, auth, device, created_at)
    select id, ${sinks.push}::text || '/' || number, ${sinks.p256dh}, ${sinks.auth}, 'bench', now() from bench_reader where ${isWay('push')}
  `.execute(db);
  const minute = new Date().getUTCHours() * 60 + new Date().getUTCMinutes();
  await sql`
    insert into news_hours (account_id, quiet_from, quiet_until, digest_hour)
    select id, case when ${isSort('quiet')} then ${(minute + 1_320) % 1_440}::int end, case when ${isSort('quiet')} then ${(minute + 180) % 1_440}::int end,
      case when ${isSort('digest')} then ${(Math.floor(minute / 60) + 6) % 24}::int end
    from bench_reader where ${isSort('quiet')} or ${isSort('digest')}
  `.execute(db);
  await sql`insert into mail_stop (address, because, at) select 'reader-' || number || '@example.org', '550', now() from bench_reader where ${isSort('blocked')} and ${isWay('mail')}`.execute(
    db,
  );
  await sql`insert into news_choice (account_id, topic, channel, wanted) select id, 'all', 'all', false from bench_reader where ${isSort('blocked')} and not ${isWay('mail')}`.execute(
    db,
  );
  await sql`vacuum analyze`.execute(db);
}

/** Ends the memberships of those who leave, now; gives the moment. */
export async function endMemberships(): Promise<Date> {
  const { rows } = await sql<{ endsAt: Date }>`
    update membership set ends_at = clock_timestamp() from bench_reader where account_id = bench_reader.id and ${isSort('leaving')} and ends_at > now()
    returning ends_at as "endsAt"
  `.execute(database());
  return rows.reduce((last, { endsAt }) => (endsAt > last ? endsAt : last), new Date(0));
}

/** What a reader is to get of a tip for members, at once: whether it stands in their list, by which way it comes, and whether it names what is sold; to those who leave only until their membership ends. */
export function expectedOf(
  number: number,
  { members }: Crowd,
): { listed: boolean; way: Arrival['way'] | null; tells: boolean | 'until it ends' } {
  const { way, sort } = readerOf(number);
  const comes =
    way === 'mail'
      ? ['plain', 'ended', 'leaving'].includes(sort)
      : way === 'push' && ['plain', 'ended', 'leaving', 'digest'].includes(sort);
  return {
    listed: sort !== 'blocked' || way === 'mail',
    way: comes && way !== 'app' ? way : null,
    tells: number <= members && sort !== 'ended' && (sort !== 'leaving' || 'until it ends'),
  };
}
