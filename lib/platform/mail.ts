import { sql } from 'kysely';
import { createTransport, type Transporter } from 'nodemailer';
import { database, transact } from './database';
import { env } from './env';
import { log } from './log';
import { singleton } from './singleton';

/** A mail to one address, as text and as HTML; `headers` are those of RFC 8058, say. */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers?: Readonly<Record<string, string>>;
};

/** A mail that waits in the outbox. */
export type WaitingMail = Mail & { id: number; createdAt: Date; attempts: number };

// Milliseconds: a mail server that is silent keeps nobody waiting.
const timeLimits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };

const batch = 20;
const mostAttempts = 12;
const firstRetrySeconds = 30;
const longestRetrySeconds = 3_600;

/** Puts a mail into the outbox, from which it is sent once the caller's transaction is committed. */
export async function putMail({ to, subject, text, html, headers = {} }: Mail, now: Date): Promise<void> {
  await sql`
    insert into mail_outbox (recipient, subject, text, html, headers, created_at, next_at)
    values (${to}, ${subject}, ${text}, ${html}, ${JSON.stringify(headers)}, ${now}, ${now})
  `.execute(database());
}

/** A mail that waits in the outbox; null where there is none of this number. */
export async function findWaitingMail(id: number): Promise<Mail | null> {
  const { rows } = await sql<Mail>`
    select recipient as "to", subject, text, html, headers from mail_outbox where id = ${id}
  `.execute(database());
  return rows[0] ?? null;
}

/** The mails that wait, newest first. */
export async function listWaitingMails(limit: number): Promise<WaitingMail[]> {
  const { rows } = await sql<WaitingMail>`
    select id, recipient as "to", subject, text, html, headers, created_at as "createdAt", attempts from mail_outbox order by id desc limit ${limit}
  `.execute(database());
  return rows;
}

/**
 * Sends the mails that are due through SMTP_URL and returns how many went out; without it they stay. One that the server refuses is tried
 * again later and later; each is claimed before it is sent, so instances do not send it twice, save one that dies between sending and saying so.
 */
export async function sendDueMails(now: Date): Promise<number> {
  const url = env().SMTP_URL;
  if (!url) return 0;
  const { rows } = await sql<WaitingMail>`
    update mail_outbox set attempts = attempts + 1,
      next_at = ${now}::timestamptz + least(${longestRetrySeconds}, ${firstRetrySeconds} * 2 ^ attempts) * interval '1 second'
    where id in (select id from mail_outbox where next_at <= ${now} and attempts < ${mostAttempts} order by next_at, id limit ${batch} for update skip locked)
    returning id, recipient as "to", subject, text, html, headers, created_at as "createdAt", attempts
  `.execute(database());
  let sent = 0;
  for (const mail of rows) sent += (await send(url, mail)) ? 1 : 0;
  return sent;
}

async function send(
  url: string,
  { id, to, subject, text, html, headers = {}, attempts }: WaitingMail,
): Promise<boolean> {
  const from = env().MAIL_FROM;
  const host = new URL(env().siteUrl).hostname;
  try {
    await transporter(url).sendMail({
      from,
      to,
      subject,
      text,
      html,
      headers: { ...headers },
      messageId: `<outbox-${id}@${host}>`,
    });
    await sql`delete from mail_outbox where id = ${id}`.execute(database());
    // Whoever asked for a code anew may have an address that works again.
    await sql`delete from mail_stop where address = lower(${to})`.execute(database());
    return true;
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    log.warn({ event: 'mail_failed', mail: id, attempts, message: failure });
    if (isRefusedForGood(error)) {
      await stopAddress(to, id, failure);
      return false;
    }
    await sql`update mail_outbox set failure = ${failure.slice(0, 500)} where id = ${id}`.execute(database());
    return false;
  }
}

// RFC 5321: the server says that there is no such recipient, and that asking again is of no use.
function isRefusedForGood(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown };
  return command === 'RCPT TO' && typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600;
}

/** Gives a mail up with its address: no news go there until a mail that was asked for arrives. */
async function stopAddress(to: string, id: number, failure: string): Promise<void> {
  await transact(async () => {
    await sql`
      insert into mail_stop (address, because, at) values (lower(${to}), ${failure.slice(0, 500)}, clock_timestamp())
      on conflict (address) do update set because = excluded.because, at = excluded.at
    `.execute(database());
    await sql`delete from mail_outbox where id = ${id}`.execute(database());
  });
}

function transporter(url: string): Transporter {
  const { DKIM_DOMAIN: domainName, DKIM_SELECTOR: keySelector, DKIM_PRIVATE_KEY: privateKey } = env();
  const dkim = domainName && privateKey ? { dkim: { domainName, keySelector, privateKey } } : {};
  return singleton(`mail:${url}:${domainName ?? ''}`, () => createTransport({ url, ...timeLimits, ...dkim }));
}

/** Removes mails that waited longer than a month, sent by nobody. */
export async function pruneMails(now: Date): Promise<void> {
  await sql`delete from mail_outbox where created_at < ${new Date(now.getTime() - 30 * 86_400_000)}`.execute(
    database(),
  );
}
