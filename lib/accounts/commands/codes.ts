import 'server-only';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { putMail } from '@/lib/platform/mail';
import { hashToken } from '@/lib/platform/tokens';
import { routes } from '@/lib/routes';
import { passwordChangedMail, welcomeMail } from '../rules/mails';
import { whyNotPassword } from '../rules/passwords';
import { accountLimits, type PasswordChange } from '../schema/authentication';
import { findCodeHash, hashPassword } from './passwords';
import { askerOf, type CodePurpose, type Owner } from './sent-codes';
import { revokeSessions } from './sessions';

type Stored = { accountId: number; purpose: CodePurpose; codeHash: string; expiresAt: Date; tries: number };

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
    select account_id as "accountId", purpose, code_hash as "codeHash", expires_at as "expiresAt", tries
    from account_code join account on account.id = account_id
    where guid_hash = ${hashToken(guid)} and purpose = 'password' and expires_at > ${now} and email is not null
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
    await sql<Owner>`select id, username, email from account where id = ${accountId} and email is not null and deleted_at is null`.execute(
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
