import 'server-only';
import { randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database, transact } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { putMail } from '@/lib/platform/mail';
import { takeHit } from '@/lib/platform/rate-limit';
import { hashToken } from '@/lib/platform/tokens';
import { routes } from '@/lib/routes';
import { confirmationMail, newPasswordMail, passwordChangedMail, welcomeMail } from '../rules/mails';
import { whyNotPassword } from '../rules';
import { accountLimits, type PasswordChange } from '../schema';
import { hashPassword, isPassword } from './passwords';
import { revokeSessions } from './sessions';

/** What a code is for: to confirm an e-mail address, or to choose a new password. */
export type CodePurpose = 'confirm' | 'password';

type Owner = { id: number; username: string; email: string };
type Stored = { accountId: number; purpose: CodePurpose; codeHash: string; expiresAt: Date; tries: number };

const batch = 50;

/** Product §3: sends an account a new code, which takes the place of the one before; no more than a few an hour. */
export async function sendCode({ id, username, email }: Owner, purpose: CodePurpose, now: Date): Promise<void> {
  if (!(await takeHit(`codes:${id}:${purpose}`, { hits: accountLimits.codesAnHour, windowSeconds: 3_600 }, now))) return;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const guid = randomUUID();
  const codeHash = await hashPassword(code);
  const expiresAt = new Date(now.getTime() + accountLimits.codeSeconds * 1000);
  const url = `${env().siteUrl}${purpose === 'confirm' ? routes.verify() : routes.forgottenPassword({ guid })}`;
  const written = (purpose === 'confirm' ? confirmationMail : newPasswordMail)({ username, code, url });
  await transact(async () => {
    await sql`
      insert into account_code (account_id, purpose, code_hash, guid_hash, expires_at) values (${id}, ${purpose}, ${codeHash}, ${hashToken(guid)}, ${expiresAt})
      on conflict (account_id, purpose) do update set code_hash = excluded.code_hash, guid_hash = excluded.guid_hash, expires_at = excluded.expires_at, tries = 0
    `.execute(database());
    await putMail({ to: email, ...written }, now);
  });
}

/** Notes that a code was asked for by address. Whether there is such an account is looked up after the answer, by `sendAskedCodes`. */
export async function askForCode(email: string, purpose: CodePurpose, now: Date): Promise<void> {
  await sql`insert into code_request (email, purpose, asked_at) values (${email}, ${purpose}, ${now})`.execute(database());
}

/** Spec §7: POST /account/resend-code: sends the code that confirms the viewer's address, or that of the address named; Failure 'unauthorised' without either. */
export async function resendCode(viewer: Viewer, email: string | undefined, now: Date): Promise<void> {
  if (viewer.kind === 'member') {
    const { rows } = await sql<{ email: string }>`select email from account where id = ${viewer.accountId} and email is not null and not email_confirmed`.execute(database());
    if (rows[0]) await askForCode(rows[0].email, 'confirm', now);
    return;
  }
  if (email === undefined) throw new Failure('unauthorised', 'Sign in, or name the e-mail address of the account, to get a new code.');
  await askForCode(email, 'confirm', now);
}

/** Sends the codes that were asked for to the addresses that have an account, each address once; returns how many requests were taken. */
export async function sendAskedCodes(now: Date): Promise<number> {
  return transact(async () => {
    const { rows } = await sql<{ email: string; purpose: CodePurpose }>`
      delete from code_request where id in (select id from code_request order by id limit ${batch} for update skip locked)
      returning lower(email) as email, purpose
    `.execute(database());
    const asked = new Map(rows.map((request) => [`${request.purpose}|${request.email}`, request]));
    for (const { email, purpose } of asked.values()) {
      const owners = await sql<Owner>`
        select id, username, email from account where lower(email) = ${email} and deleted_at is null and (${purpose} = 'password' or not email_confirmed)
      `.execute(database());
      if (owners.rows[0]) await sendCode(owners.rows[0], purpose, now);
    }
    return rows.length;
  });
}

const wrongCode = 'The code is wrong or has expired. Type it as the newest mail says, or ask for a new one.';
const wrong = () => new Failure('invalid', wrongCode, { code: wrongCode });

// Each look at a code counts, before it is looked at: many at once are no more than many in turn.
async function tryCodes(email: string, purposes: readonly CodePurpose[], now: Date): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    update account_code set tries = tries + 1
    where account_id = (select id from account where lower(email) = lower(${email}) and deleted_at is null) and purpose = any(${[...purposes]}::text[])
      and expires_at > ${now} and tries < ${accountLimits.codeTries}
    returning account_id as "accountId", purpose, code_hash as "codeHash", expires_at as "expiresAt", tries
  `.execute(database());
  return rows;
}

async function findCode(email: string, code: string, purposes: readonly CodePurpose[], now: Date): Promise<Stored> {
  const stored = await tryCodes(email, purposes, now);
  // An address without a code out takes the same work.
  const looked = stored.length > 0 ? stored : [null];
  let found: Stored | null = null;
  for (const each of looked) if (await isPassword(code, each?.codeHash ?? null)) found = each;
  if (!found) throw wrong();
  return found;
}

/**
 * Spec §7: POST /account/verify-code: confirms the address by the code that was sent to it, or says that a code for a new password is right,
 * which stays good for the change. Failure 'invalid' for a wrong or expired code and after five tries.
 */
export async function verifyCode({ emailAddress, code }: { emailAddress: string; code: string }, now: Date): Promise<CodePurpose> {
  const { accountId, purpose, codeHash } = await findCode(emailAddress, code, ['confirm', 'password'], now);
  if (purpose === 'password') return purpose;
  await transact(async () => {
    const { numAffectedRows } = await sql`delete from account_code where account_id = ${accountId} and purpose = 'confirm' and code_hash = ${codeHash}`.execute(database());
    if (numAffectedRows !== 1n) throw wrong();
    const { rows } = await sql<Owner>`update account set email_confirmed = true where id = ${accountId} and not email_confirmed returning id, username, email`.execute(database());
    if (rows[0]) await greet(rows[0], now);
  });
  return purpose;
}

async function greet({ username, email }: Owner, now: Date): Promise<void> {
  const { siteUrl } = env();
  await putMail({ to: email, ...welcomeMail({ username, tipstersUrl: `${siteUrl}${routes.tipsters()}`, dashboardUrl: `${siteUrl}${routes.dashboard('settings')}` }) }, now);
}

const gone = () => new Failure('invalid', 'This link is no longer good: it holds for ten minutes and once. Ask for a new one.', { guid: 'This link is no longer good.' });

async function findByGuid(guid: string, now: Date): Promise<Stored> {
  const { rows } = await sql<Stored>`
    select account_id as "accountId", purpose, code_hash as "codeHash", expires_at as "expiresAt", tries from account_code
    where guid_hash = ${hashToken(guid)} and purpose = 'password' and expires_at > ${now}
  `.execute(database());
  if (!rows[0]) throw gone();
  return rows[0];
}

/** Spec §7: POST /account/verify-guid: nothing for a link by which a new password can be chosen; Failure 'invalid' for any other. */
export async function verifyGuid(guid: string, now: Date): Promise<void> {
  await findByGuid(guid, now);
}

/** Spec §7: POST /account/change-password: takes the new password, once, for the code or link that was mailed, and ends every login of the account. */
export async function changePassword({ newPassword, code, emailAddress, guid }: PasswordChange, now: Date): Promise<void> {
  const { accountId, codeHash } = guid === undefined ? await findCode(emailAddress ?? '', code ?? '', ['password'], now) : await findByGuid(guid, now);
  const { rows } = await sql<Owner>`select id, username, email from account where id = ${accountId} and deleted_at is null`.execute(database());
  const [owner] = rows;
  if (!owner) throw gone();
  const why = whyNotPassword(newPassword, owner);
  if (why) throw new Failure('invalid', why, { newPassword: why });
  const passwordHash = await hashPassword(newPassword);
  await transact(async () => {
    const { numAffectedRows } = await sql`delete from account_code where account_id = ${accountId} and purpose = 'password' and code_hash = ${codeHash}`.execute(database());
    if (numAffectedRows !== 1n) throw guid === undefined ? wrong() : gone();
    // Whoever read the mail has shown that the address is theirs.
    await sql`update account set password_hash = ${passwordHash}, email_confirmed = true where id = ${accountId}`.execute(database());
    await revokeSessions(accountId, 'password changed', now);
    await putMail({ to: owner.email, ...passwordChangedMail({ username: owner.username, url: `${env().siteUrl}${routes.forgottenPassword()}` }) }, now);
  });
}
