import 'server-only';
import { randomInt, randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { forget } from '@/lib/platform/cache';
import { database, isDatabaseTrouble, transact } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { putMail } from '@/lib/platform/mail';
import { networkOf, countHit } from '@/lib/platform/rate-limit';
import { hashToken } from '@/lib/platform/tokens';
import { routes } from '@/lib/routes';
import { confirmationMail, knownAddressMail, newPasswordMail, passwordChangedMail, welcomeMail } from '../rules/mails';
import { whyNotPassword } from '../rules/passwords';
import { accountLimits, type PasswordChange } from '../schema/authentication';
import { findCodeHash, hashCode, hashPassword } from './passwords';
import { revokeSessions } from './sessions';

/** What a code is for: to confirm an e-mail address, or to choose a new password. */
export type CodePurpose = 'confirm' | 'password';

type Owner = { id: number; username: string; email: string };
type Stored = { accountId: number; purpose: CodePurpose; codeHash: string; expiresAt: Date; tries: number };

const batch = 50;

/** Product §3: sends an account a new code, which takes the place of the one before; no more than a few an hour. `asker` is the network that asked for it. */
export async function sendCode(
  { id, username, email }: Owner,
  purpose: CodePurpose,
  now: Date,
  asker: string | null = null,
): Promise<void> {
  if (!(await countHit(`codes:${id}:${purpose}`, { hits: accountLimits.codesAnHour, windowSeconds: 3_600 }, now)))
    return;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const guid = randomUUID();
  const codeHash = await hashCode(code, await findOtherCode(id, purpose, now));
  const expiresAt = new Date(now.getTime() + accountLimits.codeSeconds * 1000);
  const url = `${env().siteUrl}${purpose === 'confirm' ? routes.verify() : routes.forgottenPassword({ guid })}`;
  const written = (purpose === 'confirm' ? confirmationMail : newPasswordMail)({ username, code, url });
  await transact(async () => {
    await sql`
      insert into account_code (account_id, purpose, code_hash, guid_hash, expires_at, asker) values (${id}, ${purpose}, ${codeHash}, ${hashToken(guid)}, ${expiresAt}, ${asker})
      on conflict (account_id, purpose) do update
      set code_hash = excluded.code_hash, guid_hash = excluded.guid_hash, expires_at = excluded.expires_at, asker = excluded.asker, tries = 0
    `.execute(database());
    await sql`delete from code_try where account_id = ${id} and purpose = ${purpose}`.execute(database());
    await putMail({ to: email, ...written }, now);
  });
}

/** The hash of a code that is out for an account for another purpose. */
async function findOtherCode(accountId: number, purpose: CodePurpose, now: Date): Promise<string | null> {
  const { rows } = await sql<{ codeHash: string }>`
    select code_hash as "codeHash" from account_code where account_id = ${accountId} and purpose <> ${purpose} and expires_at > ${now}
  `.execute(database());
  return rows[0]?.codeHash ?? null;
}

const askerOf = (address: string) => hashToken(networkOf(address));

/** Notes that a code was asked for by address, and from where. Whether there is such an account is looked up after the answer, by `sendAskedCodes`. */
export async function askForCode(
  email: string,
  purpose: CodePurpose,
  now: Date,
  address: string | null = null,
): Promise<void> {
  await sql`insert into code_request (email, purpose, asked_at, asker) values (${email}, ${purpose}, ${now}, ${address && askerOf(address)})`.execute(
    database(),
  );
}

/** Spec §7: POST /account/resend-code: sends the code that confirms the viewer's address, or that of the address named; Failure 'unauthorised' without either. */
export async function resendCode(
  viewer: Viewer,
  email: string | undefined,
  now: Date,
  address: string | null = null,
): Promise<void> {
  if (viewer.kind === 'member') {
    const { rows } = await sql<{
      email: string;
    }>`select email from account where id = ${viewer.accountId} and email is not null and not email_confirmed`.execute(
      database(),
    );
    if (rows[0]) await askForCode(rows[0].email, 'confirm', now, address);
    return;
  }
  if (email === undefined)
    throw new Failure('unauthorised', 'Sign in, or name the e-mail address of the account, to get a new code.');
  await askForCode(email, 'confirm', now, address);
}

/** Whether somebody asked for a code and waits. */
export const areCodesAsked = (): RawBuilder<boolean> => sql<boolean>`exists (select from code_request)`;

type Asked = { email: string; purpose: CodePurpose; asker: string | null };

/**
 * Sends the codes that were asked for to the addresses that have an account, each address once; returns how many requests were taken. One that fails is
 * given up, since whoever waits asks again, and holds up no other; its error is thrown behind all others.
 */
export async function sendAskedCodes(now: Date): Promise<number> {
  const failed: unknown[] = [];
  const taken = await transact(async () => {
    const { rows } = await sql<Asked>`
      delete from code_request where id in (select id from code_request order by id limit ${batch} for update skip locked)
      returning lower(email) as email, purpose, asker
    `.execute(database());
    const asked = new Map(rows.map((request) => [`${request.purpose}|${request.email}`, request]));
    failed.length = 0;
    for (const request of asked.values())
      try {
        await transact(() => answerAsked(request, now));
      } catch (error) {
        if (isDatabaseTrouble(error)) throw error;
        failed.push(error);
      }
    return rows.length;
  });
  if (failed.length > 0) throw failed[0];
  return taken;
}

async function answerAsked({ email, purpose, asker }: Asked, now: Date): Promise<void> {
  const { rows } = await sql<Owner & { confirmed: boolean }>`
    select id, username, email, email_confirmed as confirmed from account where lower(email) = ${email} and deleted_at is null for key share
  `.execute(database());
  const [owner, claim] = [rows.find(({ confirmed }) => confirmed), rows.find(({ confirmed }) => !confirmed)];
  if (purpose === 'password') {
    const to = owner ?? claim;
    if (to) await sendCode(to, purpose, now, asker);
  } else if (claim && owner) await tellOwner(owner, now);
  else if (claim) await sendCode(claim, purpose, now, asker);
}

async function tellOwner({ id, username, email }: Owner, now: Date): Promise<void> {
  if (!(await countHit(`notices:${id}`, { hits: accountLimits.noticesADay, windowSeconds: 86_400 }, now))) return;
  const { siteUrl } = env();
  await putMail(
    {
      to: email,
      ...knownAddressMail({
        username,
        loginUrl: `${siteUrl}${routes.login()}`,
        passwordUrl: `${siteUrl}${routes.forgottenPassword()}`,
      }),
    },
    now,
  );
}

const wrongCode = 'The code is wrong or has expired. Enter the code from the newest e-mail, or ask for a new one.';
const wrong = () => new Failure('invalid', wrongCode, { code: wrongCode });

type Tried = Stored & { own: boolean };

/**
 * The codes that are out for an address, save those that this network has tried often enough. Each look counts, before it is looked at: many at
 * once are no more than many in turn. What others try, be it ever so much, leaves the tries of the network that asked for the code alone.
 */
async function tryCodes(email: string, purposes: readonly CodePurpose[], asker: string, now: Date): Promise<Stored[]> {
  return transact(async () => {
    const { rows } = await sql<Tried>`
      update account_code set tries = least(tries + case when asker = ${asker} then 0 else 1 end, ${accountLimits.codeTriesOfOthers + 1})
      where account_id in (select id from account where lower(email) = lower(${email}) and deleted_at is null) and purpose = any(${[...purposes]}::text[]) and expires_at > ${now}
      returning account_id as "accountId", purpose, code_hash as "codeHash", expires_at as "expiresAt", tries, coalesce(asker = ${asker}, false) as own
    `.execute(database());
    const open: Stored[] = [];
    for (const code of rows) {
      if (!code.own && code.tries > accountLimits.codeTriesOfOthers) continue;
      const counted = await sql<{ tries: number }>`
        insert into code_try as known (account_id, purpose, asker, tries) values (${code.accountId}, ${code.purpose}, ${asker}, 1)
        on conflict (account_id, purpose, asker) do update set tries = least(known.tries, ${accountLimits.codeTries}) + 1 returning tries
      `.execute(database());
      if ((counted.rows[0]?.tries ?? 1) <= accountLimits.codeTries) open.push(code);
    }
    return open;
  });
}

async function findCode(
  email: string,
  code: string,
  purposes: readonly CodePurpose[],
  address: string,
  now: Date,
): Promise<Stored> {
  const stored = await tryCodes(email, purposes, askerOf(address), now);
  // An address takes the work of one hash whatever codes are out for its account.
  const place = await findCodeHash(
    code,
    stored.map(({ codeHash }) => codeHash),
  );
  const found = stored[place];
  if (!found) throw wrong();
  return found;
}

/**
 * Spec §7: POST /account/verify-code: confirms the address by the code that was sent to it, or says that a code for a new password is right,
 * which stays good for the change. Failure 'invalid' for a wrong or expired code and after five tries from this network (`address`).
 */
export async function verifyCode(
  { emailAddress, code }: { emailAddress: string; code: string },
  now: Date,
  address = 'unknown',
): Promise<CodePurpose> {
  const { accountId, purpose, codeHash } = await findCode(emailAddress, code, ['confirm', 'password'], address, now);
  if (purpose === 'password') return purpose;
  await transact(async () => {
    const { numAffectedRows } =
      await sql`delete from account_code where account_id = ${accountId} and purpose = 'confirm' and code_hash = ${codeHash}`.execute(
        database(),
      );
    if (numAffectedRows !== 1n) throw wrong();
    const { rows } =
      await sql<Owner>`update account set email_confirmed = true where id = ${accountId} and not email_confirmed returning id, username, email`.execute(
        database(),
      );
    if (rows[0]) await greet(rows[0], now);
    await forget([`account:${accountId}`]);
  });
  return purpose;
}

async function greet({ username, email }: Owner, now: Date): Promise<void> {
  const { siteUrl } = env();
  await putMail(
    {
      to: email,
      ...welcomeMail({
        username,
        tipstersUrl: `${siteUrl}${routes.tipsters()}`,
        dashboardUrl: `${siteUrl}${routes.dashboard('settings')}`,
      }),
    },
    now,
  );
}

const gone = () =>
  new Failure('invalid', 'This link has expired: it works once, for 10 minutes. Ask for a new one.', {
    guid: 'This link is no longer valid.',
  });

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
export async function changePassword(
  { newPassword, code, emailAddress, guid }: PasswordChange,
  now: Date,
  address = 'unknown',
): Promise<void> {
  const { accountId, codeHash } =
    guid === undefined
      ? await findCode(emailAddress ?? '', code ?? '', ['password'], address, now)
      : await findByGuid(guid, now);
  const { rows } =
    await sql<Owner>`select id, username, email from account where id = ${accountId} and deleted_at is null`.execute(
      database(),
    );
  const [owner] = rows;
  if (!owner) throw gone();
  const why = whyNotPassword(newPassword, owner);
  if (why) throw new Failure('invalid', why, { newPassword: why });
  const passwordHash = await hashPassword(newPassword);
  await transact(async () => {
    const { numAffectedRows } =
      await sql`delete from account_code where account_id = ${accountId} and purpose = 'password' and code_hash = ${codeHash}`.execute(
        database(),
      );
    if (numAffectedRows !== 1n) throw guid === undefined ? wrong() : gone();
    // Whoever read the mail has shown that the address is theirs.
    await sql`update account set password_hash = ${passwordHash}, email_confirmed = true where id = ${accountId}`.execute(
      database(),
    );
    await revokeSessions(accountId, 'password changed', now);
    await putMail(
      {
        to: owner.email,
        ...passwordChangedMail({ username: owner.username, url: `${env().siteUrl}${routes.forgottenPassword()}` }),
      },
      now,
    );
  });
}
