import 'server-only';
import { sql } from 'kysely';
import { database, isDatabaseTrouble, transact } from '@/lib/platform/database';
import type { ViewerOf } from '../queries/readers';
import type { Channel } from './channels';
import { type Claimed, claimedColumns, judge, markSent, noteVerdicts } from './deliveries';
import { putDigest } from './mail';
import type { Sending } from './send';

const accountsAtOnce = 1_000;

/** Product §12: sends the one mail of the day to everybody whose hour has come, with what they may still see and want; returns how many mails went out. */
export async function sendDigests(now: Date, { viewerOf, channels, seconds = 20 }: Sending): Promise<number> {
  const mail = channels.find(({ channel }) => channel === 'email');
  if (!mail) return 0;
  const until = performance.now() + 1000 * seconds;
  const failed: unknown[] = [];
  let [sent, after] = [0, 0];
  const end = () => {
    if (failed.length > 0) throw failed[0];
    return sent;
  };
  for (;;) {
    const due = await listDue(after, now);
    for (const accountId of due) {
      if (performance.now() >= until) return end();
      // One that fails keeps nobody behind it from theirs.
      sent += await transact(() => sendDigest(accountId, mail, viewerOf, now)).catch((error: unknown) => {
        if (isDatabaseTrouble(error)) throw error;
        failed.push(error);
        return 0;
      });
      after = accountId;
    }
    if (due.length < accountsAtOnce) return end();
  }
}

const isDue = (now: Date) => sql`state = 'waiting' and digest and next_at <= ${now}`;

/** The next accounts whose hour has come, in the order of their numbers. */
async function listDue(after: number, now: Date): Promise<number[]> {
  const { rows } = await sql<{ accountId: number }>`
    select distinct account_id as "accountId" from delivery where ${isDue(now)} and account_id > ${after} order by account_id limit ${accountsAtOnce}
  `.execute(database());
  return rows.map(({ accountId }) => accountId);
}

/** Sends one account the mail of its day, with all that is due; 0 where another program is at it, or nothing is left to tell. */
async function sendDigest(accountId: number, mail: Channel, viewerOf: ViewerOf, now: Date): Promise<number> {
  // Who holds the hours of an account is the one that gathers its mail.
  const { rows: held } = await sql`
    select from news_hours where account_id = ${accountId} for update skip locked
  `.execute(database());
  if (held.length === 0) return 0;
  const { rows: claimed } = await sql<Claimed>`
    select ${claimedColumns} from delivery where account_id = ${accountId} and channel = 'email' and ${isDue(now)} order by id for update
  `.execute(database());
  const { ready, verdicts } = await judge(claimed, mail, viewerOf, now, () => false);
  await putDigest(ready, now);
  await noteVerdicts(verdicts);
  await markSent(ready.map(({ id }) => id));
  return ready.length > 0 ? 1 : 0;
}
