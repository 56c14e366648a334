import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { mailGivenUp, mailTries } from '@/lib/platform/mail';
import { decisionMoment } from '@/lib/platform/moment';
import { wake } from '@/lib/platform/wake';
import { act } from '@/lib/staff/commands';
import type { StaffFacts, StaffOrder, StaffOutcome, StaffSubject } from '@/lib/staff/schema';
import { knownTries } from '../queries/staff-mails';
import { bounceKind, bounceTitles, stoppedByStaff } from '../rules/bounces';
import { mailStatus, type StoredMail } from '../rules/status';
import type { MailOrder, StopOrder } from '../schema/staff';

const conflict = (message: string) => new Failure('conflict', message);

const factsOf = (mail: StoredMail, now: Date): StaffFacts => ({
  state: mailStatus(mail, knownTries(), now).title,
  tries: mail.attempts,
  'next try': mail.attempts < mailTries.most ? mail.nextAt.toISOString() : null,
});

function afterOrder(mail: StoredMail, action: MailOrder['action'], now: Date): StoredMail {
  if (action === 'mail.retry') {
    if (mail.attempts < mailTries.most && mail.nextAt <= now)
      throw conflict('It is due already: the next run sends it, where the program has a mail server.');
    return { ...mail, failure: mail.failure === mailGivenUp ? null : mail.failure, attempts: 0, nextAt: now };
  }
  if (mail.attempts >= mailTries.most) throw conflict('It is not tried any more: only what waits is given up.');
  return { ...mail, failure: mailGivenUp, attempts: mailTries.most };
}

/** Product §11, §12: staff have a mail of the outbox tried again now, or give it up. Failure 'missing' for one that was taken, 'conflict' for one that is due, under way or over; else as `act`. */
export async function orderMail(
  staff: Viewer,
  id: number,
  { action, reason, preview }: MailOrder,
): Promise<StaffOutcome> {
  return act({ staff, action, subject: { kind: 'mail', id: String(id) }, reason, preview }, async () => {
    const { rows } = await sql<StoredMail>`
      select attempts, next_at as "nextAt", failure from mail_outbox where id = ${id} for update
    `.execute(database());
    if (!rows[0]) throw new Failure('missing', 'This mail is not in the outbox any more: the mail server took it.');
    const now = await decisionMoment();
    const { name } = mailStatus(rows[0], knownTries(), now);
    if (name === 'held' && action === 'mail.retry')
      throw conflict('Its reader has quiet hours: it goes out once they are over.');
    if (name === 'sending')
      throw conflict('It is being sent at this moment, or its last try has just failed. Look again in a minute.');
    const { attempts, nextAt, failure } = afterOrder(rows[0], action, now);
    await sql`update mail_outbox set attempts = ${attempts}, next_at = ${nextAt}, failure = ${failure} where id = ${id}`.execute(
      database(),
    );
    if (action === 'mail.retry') wake('mails');
    return { before: factsOf(rows[0], now), after: factsOf({ attempts, nextAt, failure }, now) };
  });
}

// The log is kept for good, an address is not: the member is named by number. Of several that have claimed it, whose it is comes first.
const about = (accounts: number[], bounce: number): { subject: StaffSubject; accounts: number[] } => ({
  subject:
    accounts[0] === undefined ? { kind: 'bounce', id: String(bounce) } : { kind: 'user', id: String(accounts[0]) },
  accounts,
});

async function whoHave(address: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from account where lower(email) = lower(${address}) order by email_confirmed desc, id
  `.execute(database());
  return rows.map(({ id }) => id);
}

/** Product §11, §12: news go to an address again. Failure 'missing' where they do already; else as `act`. */
export async function allowMailAgain(staff: Viewer, bounce: number, order: StaffOrder): Promise<StaffOutcome> {
  const { rows } = await sql<{ address: string }>`select address from mail_stop where id = ${bounce}`.execute(
    database(),
  );
  const concerned = about(await whoHave(rows[0]?.address ?? ''), bounce);
  return act({ staff, action: 'bounce.lift', ...concerned, ...order }, async () => {
    const gone = await sql<{ because: string; byStaff: boolean; at: Date }>`
      delete from mail_stop where id = ${bounce} returning because, by_staff as "byStaff", at
    `.execute(database());
    const [stop] = gone.rows;
    if (!stop)
      throw new Failure('missing', 'Notifications are sent to this address again already, or it never was stopped.');
    const kind = bounceTitles[bounceKind(stop.because, stop.byStaff)];
    return {
      before: { 'news by mail': 'stopped', because: kind, since: stop.at.toISOString() },
      after: { 'news by mail': 'go out', because: null, since: null },
    };
  });
}

/** Product §11, §12: no news go to the address of a member, until staff allow it. Failure 'invalid' for an address that no member has, 'conflict' where they are stopped already; else as `act`. */
export async function stopMail(staff: Viewer, { address, action, reason, preview }: StopOrder): Promise<StaffOutcome> {
  const accounts = await whoHave(address);
  // Whoever is not staff is refused by `act`, and learns nothing about addresses.
  return act({ staff, action, ...about(accounts, 0), reason, preview }, async () => {
    if (accounts.length === 0)
      throw new Failure('invalid', 'No member has this address.', { address: 'No member has this address.' });
    const now = await decisionMoment();
    const { numAffectedRows } = await sql`
      insert into mail_stop (address, because, at, by_staff) values (lower(${address}), ${stoppedByStaff}, ${now}, true) on conflict (address) do nothing
    `.execute(database());
    if (numAffectedRows !== 1n) throw conflict('Notifications to this address are stopped already.');
    return {
      before: { 'news by mail': 'go out', because: null, since: null },
      after: { 'news by mail': 'stopped', because: bounceTitles.staff, since: now.toISOString() },
    };
  });
}
