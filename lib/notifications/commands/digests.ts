import 'server-only';
import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import type { ViewerOf } from '../queries/readers';
import type { Channel } from './channels';
import { type Claimed, claimedColumns, judge, markSent, noteVerdicts } from './deliveries';
import { putDigest } from './mail';
import type { Sending } from './send';

const digestsAtOnce = 100;

/** Product §12: sends the one mail of the day to everybody whose hour has come, with what they may still see and want; returns how many mails went out. */
export async function sendDigests(now: Date, { viewerOf, channels, seconds = 20 }: Sending): Promise<number> {
  const mail = channels.find(({ channel }) => channel === 'email');
  if (!mail) return 0;
  const until = performance.now() + 1000 * seconds;
  let sent = 0;
  for (let done: number | null = 0; done !== null && performance.now() < until; ) {
    done = await transact(() => sendDigest(mail, viewerOf, now));
    sent += done ?? 0;
  }
  return sent;
}

async function sendDigest(mail: Channel, viewerOf: ViewerOf, now: Date): Promise<number | null> {
  // Who holds the hours of an account is the one that gathers its mail.
  const { rows: held } = await sql<{ accountId: number }>`
    select account_id as "accountId" from news_hours where account_id in (
      select account_id from delivery where state = 'waiting' and digest and next_at <= ${now})
    order by account_id limit 1 for update skip locked
  `.execute(database());
  const [owner] = held;
  if (!owner) return null;
  const { rows: claimed } = await sql<Claimed>`
    select ${claimedColumns} from delivery where account_id = ${owner.accountId} and state = 'waiting' and digest and next_at <= ${now} order by id limit ${digestsAtOnce} for update
  `.execute(database());
  const { ready, verdicts } = await judge(claimed, mail, viewerOf, now, { quiet: false });
  await putDigest(ready, now);
  await noteVerdicts(verdicts);
  await markSent(ready.map(({ id }) => id));
  return ready.length > 0 ? 1 : 0;
}
