import { createHmac, timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { database, transact } from './database';
import { log } from './log';
import { isReplyOfNobody, readMailReport } from './mail-report';
import { readSecret } from './tokens';

/** RFC 5321: whether the server says that there is no such recipient, and that asking again is of no use. */
export function isRefusedForGood(error: unknown): boolean {
  const { response, command } = error as { response?: unknown; command?: unknown };
  return command === 'RCPT TO' && typeof response === 'string' && isReplyOfNobody(response);
}

/** The name of the secret by which our own mails are known when they come back. */
export const bounceSecret = 'mails that come back';
const bounceDays = 21;

/** The day of a moment as the name of a mail has it: eight figures, in UTC. */
export const dayOf = (at: Date) => at.toISOString().slice(0, 10).replaceAll('-', '');

/** What a mail is called in its Message-ID: by its number, its day, and a code that only we can make for its address, so that nobody else can say that a mail to it came back. */
export function nameOfMail(secret: string, { id, to, day }: { id: number | string; to: string; day: string }): string {
  const code = createHmac('sha256', secret).update(`${id} ${day} ${to.toLowerCase()}`).digest('hex').slice(0, 32);
  return `outbox-${id}.${day}.${code}`;
}

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * Ours (0084): takes a mail that came back to us. Where it is a report (RFC 3464) that one of our mails of the last three weeks could not be brought for good, no news go to the address of
 * that mail until a mail that was asked for arrives; `stopped` is that address. Which address it was is told by the code in our own Message-ID; all other mails change nothing.
 */
export async function takeBounce(mail: string, now: Date): Promise<{ stopped: string | null }> {
  const report = readMailReport(mail);
  const [name = '', number = '', day = ''] =
    /^outbox-(\d{1,15})\.(\d{8})\.[0-9a-f]{32}(?=@)/.exec(report?.messageId ?? '') ?? [];
  const sentAt = Date.parse(day.replace(/^(....)(..)(..)$/, '$1-$2-$3'));
  const isOfThen = sentAt > now.getTime() - bounceDays * 86_400_000 && sentAt <= now.getTime();
  if (!report || !isOfThen) return { stopped: null };
  const secret = await readSecret(bounceSecret);
  for (const { addresses, because } of report.failed) {
    const address = addresses.find((to) => isSame(nameOfMail(secret, { id: number, to, day }), name));
    if (address === undefined) continue;
    await stopNews(address, `Came back: ${because}`, now);
    log.info({ event: 'mail_came_back', mail: Number(number) });
    return { stopped: address };
  }
  return { stopped: null };
}

/** Lets no news go to an address until a mail that was asked for arrives there. */
async function stopNews(address: string, because: string, at: Date | RawBuilder<Date>): Promise<void> {
  await sql`
    insert into mail_stop (address, because, at) values (lower(${address}), ${because.slice(0, 500)}, ${at})
    on conflict (address) do update set because = excluded.because, at = excluded.at
  `.execute(database());
}

/** Gives a mail up with its address: no news go there until a mail that was asked for arrives. */
export async function stopAddress(to: string, id: number, failure: string): Promise<void> {
  await transact(async () => {
    await stopNews(to, failure, sql<Date>`clock_timestamp()`);
    await sql`delete from mail_outbox where id = ${id}`.execute(database());
  });
}
