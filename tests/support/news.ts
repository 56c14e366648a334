import { sql } from 'kysely';
import { member } from '@/lib/http/viewer';
import { offeredChannels, sendDueNews, spreadNews } from '@/lib/notifications/commands';
import type { Channel } from '@/lib/notifications/commands/channels';
import { database } from '@/lib/platform/database';
import { listWaitingMails } from '@/lib/platform/mail';
import { join } from './members';
import { worldNow } from './world';

export type Reader = Awaited<ReturnType<typeof join>>;

let readers = 0;

/** So many seconds behind the moment of the world. */
export const after = (seconds: number): Date => new Date(worldNow.getTime() + seconds * 1000);

/** A new member with a confirmed address. */
export async function reader(timezoneId: number | null = null): Promise<Reader> {
  const name = `reader-${(readers += 1)}`;
  const made = await join(name, worldNow);
  await sql`update account set email = ${`${name}@example.org`}, email_confirmed = true, timezone_id = ${timezoneId} where id = ${made.accountId}`.execute(
    database(),
  );
  return made;
}

export const viewerOf: Parameters<typeof sendDueNews>[1]['viewerOf'] = ({ countryId, ...known }) =>
  member(known, countryId);

/** The mails that wait for a member. */
export async function mailsTo(name: number | Reader): ReturnType<typeof listWaitingMails> {
  const id = typeof name === 'number' ? name : name.accountId;
  const { rows } = await sql<{ email: string }>`select email from account where id = ${id}`.execute(database());
  return (await listWaitingMails(100)).filter(({ to }) => to === rows[0]?.email);
}

/** Puts down and sends the news that are due; gives how many were sent. */
export async function pass(at = after(10), by: readonly Channel[] = offeredChannels()): Promise<number> {
  await spreadNews(by, at, { seconds: 5 });
  return sendDueNews(at, { viewerOf, channels: by, seconds: 5 });
}
