import { type RawBuilder, sql } from 'kysely';
import type { Transporter } from 'nodemailer';
import { database } from './database';
import { env } from './env';
import { gather } from './gather';
import { log } from './log';
import { bounceSecret, dayOf, isRefusedForGood, nameOfMail, stopAddress } from './mail-bounces';
import { readSecret } from './tokens';
import { wake } from './wake';

/** A mail to one address, as text and as HTML; `headers` are those of RFC 8058, say. */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers?: Readonly<Record<string, string>>;
  /** The deliveries that it tells of, for a mail of news. */
  deliveries?: readonly number[] | null;
};

/** A mail of news as it is to be sent now, or the moment until which it waits for its reader; null for one that is not to be sent any more, undefined for one that cannot be written now. */
export type Rewritten = Mail | { heldUntil: Date } | null | undefined;

/** Writes mails of news anew at the moment of sending, each by the deliveries that it tells of, in their order. */
export type Rewrite = (told: readonly (readonly number[])[], now: Date) => Promise<Rewritten[]>;

/** A mail that waits in the outbox. */
export type WaitingMail = Mail & { id: number; createdAt: Date; attempts: number };

// Milliseconds: a mail server that is silent keeps nobody waiting.
const timeLimits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };

const batch = 400;
const connections = 8;
/** How many mails are under way at once: handed over by connections that are kept for the next, or about to be written down as sent. */
const underWay = 16;
/** How often a mail is tried, and the seconds after the first try and at most between two. */
export const mailTries = { most: 12, firstPauseSeconds: 30, longestPauseSeconds: 3_600 } as const;

/** What stands as the failure of a mail that staff gave up. */
export const mailGivenUp = 'Given up by staff.';

/** Puts a mail into the outbox, from which it is sent once the caller's transaction is committed. */
export const putMail = (mail: Mail, now: Date): Promise<void> => putMails([mail], now);

/** Puts mails into the outbox at once, in their order. */
export async function putMails(mails: readonly Mail[], now: Date): Promise<void> {
  if (mails.length === 0) return;
  await sql`
    insert into mail_outbox (recipient, subject, text, html, headers, deliveries, created_at, next_at)
    select recipient, subject, text, html, headers, (select array_agg(id::bigint) from jsonb_array_elements_text(deliveries) id), ${now}, ${now}
    from unnest(${mails.map(({ to }) => to)}::text[], ${mails.map(({ subject }) => subject)}::text[], ${mails.map(({ text }) => text)}::text[],
      ${mails.map(({ html }) => html)}::text[], ${mails.map(({ headers = {} }) => JSON.stringify(headers))}::jsonb[],
      ${mails.map(({ deliveries }) => JSON.stringify(deliveries ?? []))}::jsonb[])
      with ordinality as mail (recipient, subject, text, html, headers, deliveries, place)
    order by place
  `.execute(database());
  wake('mails');
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
 * Sends the mails that are due through SMTP_URL, for so many seconds, and returns how many went out; without it they stay. What somebody waits for
 * goes before what can be unsubscribed from; what was not begun in time waits for the next run as if it had not been touched. One that the server refuses is tried again later and later; each is claimed before it is sent, so
 * instances do not send it twice, save those that were under way in one that dies: each has the same Message-ID again. News are written anew by
 * `rewrite` just before.
 */
export async function sendDueMails(
  now: Date,
  { seconds = 20, rewrite }: { seconds?: number; rewrite?: Rewrite } = {},
): Promise<number> {
  const url = env().SMTP_URL;
  if (!url) return 0;
  const start = performance.now();
  const passed = () => Math.floor((performance.now() - start) / 1000);
  const isOver = () => performance.now() - start >= 1000 * seconds;
  let [mails, sent] = [await claim(now, passed()), 0];
  if (mails.length === 0) return 0;
  const server = await openTransport(url);
  try {
    while (mails.length > 0) {
      const [asked, news] = [mails.filter((mail) => !isNews(mail)), mails.filter(isNews)];
      sent += await sendAll(server, asked, { isOver, now });
      const told = rewrite && !isOver() ? await rewritten(news, rewrite, afterSeconds(now, passed())) : news;
      sent += await sendAll(server, told, { isOver, now });
      mails = isOver() ? [] : await claim(now, passed());
    }
  } finally {
    server.close();
  }
  return sent;
}

const isNews = ({ deliveries }: Mail) => (deliveries?.length ?? 0) > 0;
const afterSeconds = (now: Date, seconds: number) => new Date(now.getTime() + 1000 * seconds);

/** Mails of news as they are to be sent now; those that are not to be sent any more are taken out of the outbox, those that wait for their reader were not tried. */
async function rewritten(mails: readonly WaitingMail[], rewrite: Rewrite, now: Date): Promise<WaitingMail[]> {
  if (mails.length === 0) return [];
  const anew = await rewrite(
    mails.map(({ deliveries }) => deliveries ?? []),
    now,
  );
  const gone = mails.filter((_, index) => anew[index] === null);
  if (gone.length > 0)
    await sql`delete from mail_outbox where id = any(${gone.map(({ id }) => id)}::int[])`.execute(database());
  const held = mails.flatMap(({ id }, index) => {
    const own = anew[index];
    return own && 'heldUntil' in own ? [{ id, until: own.heldUntil }] : [];
  });
  if (held.length > 0)
    await sql`
      update mail_outbox set attempts = greatest(attempts - 1, 0), next_at = held.until
      from unnest(${held.map(({ id }) => id)}::int[], ${held.map(({ until }) => until)}::timestamptz[]) as held (id, until) where mail_outbox.id = held.id
    `.execute(database());
  return mails.flatMap((mail, index) => {
    const own = anew[index];
    return own && !('heldUntil' in own) ? [{ ...mail, ...own }] : [];
  });
}

/** The header by which a mail is known as news, which can be unsubscribed from; a mail without it was asked for, and may hold a code. */
export const unsubscribable = 'List-Unsubscribe';

const isDue = (now: Date) => sql`next_at <= ${now} and attempts < ${mailTries.most}`;

/** Whether a mail is due, where there is a server to send it. */
export const areMailsDue = (now: Date): RawBuilder<boolean> =>
  env().SMTP_URL ? sql<boolean>`exists (select from mail_outbox where ${isDue(now)})` : sql<boolean>`false`;

/** The next mails, which are nobody else's for as long as a first try is waited for. */
async function claim(now: Date, passedSeconds: number): Promise<WaitingMail[]> {
  const { rows } = await sql<WaitingMail>`
    update mail_outbox set attempts = attempts + 1,
      next_at = ${now}::timestamptz + (${passedSeconds}::int + least(${mailTries.longestPauseSeconds}, ${mailTries.firstPauseSeconds} * 2 ^ attempts)) * interval '1 second'
    where id in (
      select id from mail_outbox where ${isDue(now)}
      order by headers ? ${unsubscribable}, next_at, id limit ${batch} for update skip locked)
    returning id, recipient as "to", subject, text, html, headers, deliveries::float8[] as deliveries, created_at as "createdAt", attempts
  `.execute(database());
  const isAsked = ({ headers = {} }: Mail) => Number(unsubscribable in headers);
  return rows.toSorted((a, b) => isAsked(a) - isAsked(b) || a.id - b.id);
}

async function sendAll(
  server: Transporter,
  mails: readonly WaitingMail[],
  { isOver, now }: { isOver: () => boolean; now: Date },
): Promise<number> {
  if (mails.length === 0) return 0;
  const waiting = mails.values();
  const from = env().MAIL_FROM;
  const host = new URL(env().siteUrl).hostname;
  const secret = await readSecret(bounceSecret);
  const note = gather(noteSent);
  const left: number[] = [];
  let sent = 0;
  const work = async () => {
    for (const mail of waiting) {
      if (isOver()) {
        left.push(mail.id);
        continue;
      }
      if (!(await send(server, mail, { from, host, secret }))) continue;
      await note(mail);
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(underWay, mails.length) }, work));
  if (left.length > 0) await putBack(left, now);
  return sent;
}

/** Lets mails that were claimed and not begun be due as before. */
async function putBack(ids: readonly number[], now: Date): Promise<void> {
  await sql`
    update mail_outbox set attempts = greatest(attempts - 1, 0), next_at = ${now} where id = any(${[...ids]}::int[])
  `.execute(database());
}

/** Takes mails that were sent out of the outbox. */
async function noteSent(mails: readonly WaitingMail[]): Promise<void> {
  // Whoever asked for a code anew may have an address that works again; what staff stopped, staff allow again.
  await sql`
    with gone as (delete from mail_outbox where id = any(${mails.map(({ id }) => id)}::int[]))
    delete from mail_stop where address in (select lower(asked) from unnest(${mails.flatMap((mail) => (isNews(mail) ? [] : mail.to))}::text[]) asked) and not by_staff
  `.execute(database());
}

async function send(
  server: Transporter,
  { id, to, subject, text, html, headers = {}, attempts, createdAt }: WaitingMail,
  { from, host, secret }: { from: string; host: string; secret: string },
): Promise<boolean> {
  try {
    await server.sendMail({
      from,
      to,
      subject,
      text,
      html,
      headers: { ...headers },
      messageId: `<${nameOfMail(secret, { id, to, day: dayOf(createdAt) })}@${host}>`,
    });
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

async function openTransport(url: string): Promise<Transporter> {
  // A start does without it (0097).
  const { createTransport } = await import('nodemailer');
  const { DKIM_DOMAIN: domainName, DKIM_SELECTOR: keySelector, DKIM_PRIVATE_KEY: privateKey } = env();
  const dkim = domainName && privateKey ? { dkim: { domainName, keySelector, privateKey } } : {};
  return createTransport({ url, ...timeLimits, ...dkim, pool: true, maxConnections: connections, maxRequeues: 0 });
}

/** Removes mails that waited longer than a month, sent by nobody. */
export async function pruneMails(now: Date): Promise<void> {
  await sql`delete from mail_outbox where created_at < ${new Date(now.getTime() - 30 * 86_400_000)}`.execute(
    database(),
  );
}
