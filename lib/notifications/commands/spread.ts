import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { readersByPro } from '@/lib/accounts/queries';
import { forget } from '@/lib/platform/cache';
import { database, isConnectionLost, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { removeInPieces } from '@/lib/platform/batches';
import { wake } from '@/lib/platform/wake';
import { zoneOf } from '../queries/readers';
import { isWanted } from '../queries/wanted';
import { nextDigestAt } from '../rules/hours';
import { topicOfKind } from '../schema/settings';
import type { EventKind } from '@/lib/events/schema';
import type { Channel } from './channels';

/** How many people are told in one transaction: few at first, so that sending to the first of them soon begins. */
const peopleAtFirst = 250;
const peopleAtOnce = 2_000;
const staleDays = 2;
const pruned = 1_000;

type Waiting = {
  eventId: number;
  kind: EventKind;
  portfolioId: number | null;
  portfolioReference: string | null;
  fixtureId: number | null;
  accountId: number | null;
  stage: number;
  afterAccount: number;
};

/**
 * Product §12: puts down for everybody whom an event is for, and who wants it, what is to reach them and how: members before followers, a batch
 * of people in each transaction, for so many seconds. What a program that died left is gone on with by the next; as many programs as like work
 * at once, each at other events. One that fails holds up no other: it is tried again by the next run, and what was wrong is thrown once the others
 * are done. Returns how many deliveries were put down.
 */
export async function spreadNews(
  channels: readonly Channel[],
  now: Date,
  { people = peopleAtOnce, seconds = 20 } = {},
): Promise<number> {
  const until = performance.now() + 1000 * seconds;
  await sql`
    delete from event_spread where event_id in (
      select event_id from event_spread join event on event.id = event_id where event.at < ${now}::timestamptz - make_interval(days => ${staleDays})
      order by event_id limit ${pruned} for update of event_spread skip locked)
  `.execute(database());
  let made = 0;
  const failed = new Map<number, unknown>();
  const told: Told = { at: new Map(), untold: new Set() };
  let size = Math.min(people, peopleAtFirst);
  try {
    do {
      const step = await transact(() => spreadStep(channels, { people: size, now, failed, told }));
      if (step === null) break;
      made += step.deliveries;
      if (step.tag !== null) {
        told.untold.delete(step.tag);
        told.at.set(step.tag, performance.now());
      }
      size = Math.min(people, 2 * size);
    } while (performance.now() < until);
  } catch (error) {
    await forget([...told.untold]).catch((also: unknown) => log.warn({ event: 'news_untold', err: also }));
    throw error;
  }
  await forget([...told.untold]);
  for (const error of failed.values()) throw error;
  return made;
}

/** Whether an event is still to be put down for somebody. */
export const isNewsToSpread = (): RawBuilder<boolean> => sql<boolean>`exists (select from event_spread)`;

/** When the open pages of whoever hears of a portfolio were told last, by the clock of the process, and those that were left out since. */
type Told = { at: Map<string, number>; untold: Set<string> };

type Step = { people: number; now: Date; failed: Map<number, unknown>; told: Told };

/** What a step did: how much it put down, and by which tag the open pages of a portfolio's readers are told, once it is committed. */
type Done = { deliveries: number; tag: string | null };

async function spreadStep(channels: readonly Channel[], step: Step): Promise<Done | null> {
  const { now, failed } = step;
  const { rows } = await sql<Waiting>`
    select event_id::float8 as "eventId", kind, portfolio_id as "portfolioId", portfolio.reference as "portfolioReference", fixture_id as "fixtureId", account_id as "accountId",
      stage, after_account as "afterAccount"
    from event_spread join event on event.id = event_id left join portfolio on portfolio.id = portfolio_id
    where event.at >= ${now}::timestamptz - make_interval(days => ${staleDays}) and event_id <> all(${[...failed.keys()]}::bigint[])
    order by event_id limit 1 for update of event_spread skip locked
  `.execute(database());
  const [event] = rows;
  if (!event) return null;
  try {
    return await transact(() => spreadEvent(event, channels, step));
  } catch (error) {
    if (isConnectionLost(error)) throw error;
    failed.set(event.eventId, error);
    const failure = error instanceof Error ? error.message : String(error);
    await sql`update event_spread set failure = ${failure.slice(0, 500)}, failed_at = ${now} where event_id = ${event.eventId}`.execute(
      database(),
    );
    return { deliveries: 0, tag: null };
  }
}

async function spreadEvent(event: Waiting, channels: readonly Channel[], { people, now, told }: Step): Promise<Done> {
  const topic = sql`${topicOfKind[event.kind]}::text`;
  const reach = sql.join(
    channels.map(({ channel, reach: own }) => sql`when ${channel} then ${own}`),
    sql` `,
  );
  const { rows: made } = await sql<{ people: number; last: number | null; deliveries: number }>`
    with audience as materialized (${audienceOf(event, now)} order by account_id limit ${people}),
    made as (
      insert into delivery (event_id, account_id, channel, state, digest, next_at)
      select ${event.eventId}::bigint, account.id, channel, case when channel = 'app' then 'sent' else 'waiting' end,
        channel = 'email' and digest_hour is not null and ${topic} not in ('membership', 'payout', 'staff'), ${now}
      from audience join account on account.id = audience.account_id left join news_hours on news_hours.account_id = account.id
      cross join unnest(${['app', ...channels.map(({ channel }) => channel)]}::text[]) as way (channel)
      where account.deleted_at is null and not account.demo and (case channel when 'app' then true ${reach} else false end)
        and ${isWanted(topic, sql`way.channel`, sql`${event.portfolioId}::int`, now)}
      order by account.id
      on conflict (event_id, account_id, channel) do nothing
      returning id
    )
    select count(*)::int as people, max(account_id) as last, (select count(*)::int from made) as deliveries from audience
  `.execute(database());
  const { people: reached = 0, last = null, deliveries = 0 } = made[0] ?? {};
  if (deliveries > 0) await setDigestMoments(event.eventId, event.afterAccount, now);
  if (reached === people)
    await sql`update event_spread set after_account = ${last}, failure = null, failed_at = null where event_id = ${event.eventId}`.execute(
      database(),
    );
  else if (event.stage === 0 && event.accountId === null && event.fixtureId === null)
    await sql`update event_spread set stage = 1, after_account = 0, failure = null, failed_at = null where event_id = ${event.eventId}`.execute(
      database(),
    );
  else await sql`delete from event_spread where event_id = ${event.eventId}`.execute(database());
  if (deliveries > 0) wake('deliveries');
  return { deliveries, tag: await tellReaders(event, { deliveries, told, isLast: reached < people }) };
}

function audienceOf(
  { portfolioId, fixtureId, accountId, stage, afterAccount }: Waiting,
  now: Date,
): RawBuilder<unknown> {
  if (accountId !== null) return sql`select ${accountId}::int as account_id where ${accountId}::int > ${afterAccount}`;
  if (fixtureId !== null)
    return sql`select account_id from fixture_watch where fixture_id = ${fixtureId} and account_id > ${afterAccount}`;
  return stage === 0
    ? sql`select account_id from membership where portfolio_id = ${portfolioId} and starts_at <= ${now} and ends_at > ${now} and account_id > ${afterAccount}
        union select account_id from ${readersByPro(now)} by_pro where portfolio_id = ${portfolioId} and account_id > ${afterAccount}`
    : sql`select account_id from follow where portfolio_id = ${portfolioId} and account_id > ${afterAccount}`;
}

type InDigest = { id: number; digestHour: number; timezoneId: number | null };

async function setDigestMoments(eventId: number, afterAccount: number, now: Date): Promise<void> {
  const { rows } = await sql<InDigest>`
    select delivery.id::float8 as id, digest_hour as "digestHour", timezone_id as "timezoneId"
    from delivery join news_hours using (account_id) join account on account.id = delivery.account_id
    where event_id = ${eventId} and delivery.account_id > ${afterAccount} and digest and state = 'waiting' and next_at = ${now} and digest_hour is not null
  `.execute(database());
  if (rows.length === 0) return;
  await sql`
    update delivery set next_at = due.at
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ digestHour, timezoneId }) => nextDigestAt(digestHour, zoneOf(timezoneId), now))}::timestamptz[]) as due (id, at)
    where delivery.id = due.id
  `.execute(database());
}

/** Ours (0033): how long after the last time the followers of a portfolio are told again while an event is put down for them. */
const restMilliseconds = 1_000;

type Spread = { deliveries: number; told: Told; isLast: boolean };

/** Tells the open pages of whoever has something new: those of a portfolio all at once, now and then, the watchers of a fixture and a single one by name. Returns the tag of a portfolio's, null where it rests. */
async function tellReaders(event: Waiting, { deliveries, told, isLast }: Spread): Promise<string | null> {
  const { eventId, accountId, portfolioReference, afterAccount } = event;
  if (accountId === null && portfolioReference !== null) {
    const tag = `news-of:${portfolioReference}`;
    if (deliveries > 0) told.untold.add(tag);
    const isResting = !isLast && performance.now() - (told.at.get(tag) ?? -Infinity) < restMilliseconds;
    if (isResting || !told.untold.has(tag)) return null;
    await forget([tag]);
    return tag;
  }
  if (deliveries === 0) return null;
  if (accountId !== null) {
    await forget([`news:${accountId}`]);
    return null;
  }
  const { rows } = await sql<{ accountId: number }>`
    select account_id as "accountId" from delivery where event_id = ${eventId} and channel = 'app' and account_id > ${afterAccount}
  `.execute(database());
  await forget(rows.map((row) => `news:${row.accountId}`));
  return null;
}

const keptDays = 90;
/** How many deliveries are removed by one statement. */
const removedAtOnce = 20_000;

/**
 * Removes what was delivered of events of three months ago, and then the events, in pieces, for so many seconds; what is left then is the next run's.
 * Returns how many events were removed. An event with a hundred thousand readers takes several pieces.
 */
export async function pruneNews(now: Date, { seconds = 20, atOnce = removedAtOnce } = {}): Promise<number> {
  const isOld = sql`at < ${now}::timestamptz - make_interval(days => ${keptDays})`;
  const until = performance.now() + 1000 * seconds;
  const inPieces = (size: number, remove: RawBuilder<unknown>) => removeInPieces(remove, { size, until });
  await inPieces(
    atOnce,
    sql`delete from delivery where id in (select delivery.id from event join delivery on event_id = event.id where ${isOld} order by event.at limit ${atOnce})`,
  );
  return inPieces(
    pruned,
    sql`
      delete from event where id in (
        select id from event where ${isOld} and not exists (select from delivery where event_id = event.id) order by at limit ${pruned})`,
  );
}
