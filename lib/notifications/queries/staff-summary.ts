import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { mailGivenUp, mailTries } from '@/lib/platform/mail';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { NewsQueue } from '../schema/staff';

/** Counted no further than this: what is more is "or more". */
const countedUpTo = 10_000;

const counted = (rows: RawBuilder<unknown>) => sql`(select count(*)::int from (${rows} limit ${countedUpTo}) counted)`;

type Row = { waiting: number; oldestAt: Date | null; failed: number };

const deliveryQueue = (channel: string, digest: boolean, since: Date) => {
  const waiting = sql`select event_id from delivery where channel = ${sql.lit(channel)} and state = 'waiting' and digest = ${sql.lit(digest)}`;
  return sql<Row>`
    select ${counted(waiting)} as waiting,
      (select event.at from (${waiting} order by event_id limit 1) first join event on event.id = first.event_id) as "oldestAt",
      ${counted(sql`select from delivery join event on event.id = event_id where because = 'refused' and channel = ${sql.lit(channel)} and digest = ${sql.lit(digest)} and event.at > ${since}`)} as failed`;
};

const webhookQueue = (since: Date) => sql<Row>`
  select ${counted(sql`select from webhook_delivery where state = 'waiting'`)} as waiting,
    (select min(created_at) from (select created_at from webhook_delivery where state = 'waiting' order by next_at, id limit ${countedUpTo}) first) as "oldestAt",
    ${counted(sql`select from webhook_delivery where state = 'failed' and created_at > ${since}`)} as failed`;

const mailQueue = (since: Date) => sql<Row>`
  select ${counted(sql`select from mail_outbox where attempts < ${mailTries.most}`)} as waiting,
    (select created_at from mail_outbox where attempts < ${mailTries.most} order by id limit 1) as "oldestAt",
    ${counted(sql`select from mail_outbox where failure is not null and failure <> ${mailGivenUp} and created_at > ${since}`)} as failed`;

const eventQueue = (since: Date) => sql<Row>`
  select ${counted(sql`select from event_spread`)} as waiting,
    (select event.at from (select event_id from event_spread order by event_id limit 1) first join event on event.id = first.event_id) as "oldestAt",
    ${counted(sql`select from event_spread where failed_at > ${since}`)} as failed`;

/** Product §11, §12: how each queue of news stands: how many wait, since when the first of them, and how many of the last day failed. Failure 'unauthorised' or 'forbidden' for whoever is not staff. */
export async function summariseNews(viewer: Viewer, now: Date): Promise<NewsQueue[]> {
  refuseUnlessStaff(viewer);
  const since = new Date(now.getTime() - 86_400_000);
  const queues: readonly [NewsQueue['name'], RawBuilder<Row>][] = [
    ['events', eventQueue(since)],
    ['email', deliveryQueue('email', false, since)],
    ['daily', deliveryQueue('email', true, since)],
    ['push', deliveryQueue('push', false, since)],
    ['telegram', deliveryQueue('telegram', false, since)],
    ['webhooks', webhookQueue(since)],
    ['mails', mailQueue(since)],
  ];
  const summary: NewsQueue[] = [];
  for (const [name, read] of queues) {
    const { rows } = await read.execute(database());
    const { waiting = 0, oldestAt = null, failed = 0 } = rows[0] ?? {};
    summary.push({ name, waiting, oldestAt: oldestAt?.toISOString() ?? null, failed, countedUpTo });
  }
  return summary;
}

/** Ours: failed messages of the last day from which on a person is called. */
const manyFailed = 20;

/** Product §11: what of the news needs a person: events that could not be spread, and messages of the last day that failed where these are many. Failure 'unauthorised' or 'forbidden' for whoever is not staff. */
export async function countNewsTrouble(viewer: Viewer, now: Date): Promise<{ events: number; failed: number }> {
  refuseUnlessStaff(viewer);
  const since = new Date(now.getTime() - 86_400_000);
  const { rows } = await sql<{ events: number; failed: number }>`
    select ${counted(sql`select from event_spread where failure is not null`)} as events,
      ${counted(sql`select from delivery join event on event.id = event_id where because = 'refused' and event.at > ${since}`)} as failed
  `.execute(database());
  const { events = 0, failed = 0 } = rows[0] ?? {};
  return { events, failed: failed < manyFailed ? 0 : failed };
}
