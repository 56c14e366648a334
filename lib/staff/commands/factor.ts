import 'server-only';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import { isStaff } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { forget } from '@/lib/platform/cache';
import { arrayOf, database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { holdAccount } from '@/lib/platform/held-account';
import { decisionMoment } from '@/lib/platform/moment';
import { hashToken, openUnder, readSecret, sealUnder } from '@/lib/platform/tokens';
import { Role } from '@/lib/reference/schema';
import { qrPicture } from '../rules/qr-code';
import { authenticatorAddress, base32, fromBase32, stepOfCode } from '../rules/totp';
import { factorLimits, type FactorKey, type RecoveryCodes } from '../schema/factor';
import { writeEntry } from './act';

const secretName = 'staff-factor';

type Entrant = { accountId: number; sessionId: string; role: 'admin' | 'super-admin' };

function entrantOf(viewer: Viewer): Entrant {
  requireMember(viewer);
  if (!isStaff(viewer) || viewer.suspended || viewer.sessionId === null)
    throw new Failure('forbidden', 'This is for staff. Ask a super admin for the role if it should be yours.');
  const role = viewer.role === Role.superAdmin ? 'super-admin' : 'admin';
  return { accountId: viewer.accountId, sessionId: viewer.sessionId, role };
}

type Factor = { sealedKey: string; isConfirmed: boolean; lastStep: number; tries: number; lockedUntil: Date | null };

async function holdFactor(accountId: number): Promise<Factor | null> {
  const { rows } = await sql<Factor>`
    select sealed_key as "sealedKey", confirmed_at is not null as "isConfirmed", last_step::float8 as "lastStep", tries, locked_until as "lockedUntil"
    from staff_factor where account_id = ${accountId} for update
  `.execute(database());
  return rows[0] ?? null;
}

/**
 * Product §11: begins a second factor: a new key that counts once a code of it was entered. Failure 'unauthorised' or 'forbidden' for whoever is
 * not staff, 'conflict' where there is one already.
 */
export async function beginFactor(viewer: Viewer): Promise<FactorKey> {
  const { accountId } = entrantOf(viewer);
  const key = base32(randomBytes(20));
  const sealed = sealUnder(await readSecret(secretName), key);
  return transact(async () => {
    await holdAccount(accountId);
    const { rows } = await sql<{ username: string }>`select username from account where id = ${accountId}`.execute(
      database(),
    );
    if ((await holdFactor(accountId))?.isConfirmed)
      throw new Failure('conflict', 'You have a second factor. A super admin can reset it when it is lost.');
    await sql`
      insert into staff_factor (account_id, sealed_key) values (${accountId}, ${sealed})
      on conflict (account_id) do update set sealed_key = excluded.sealed_key
    `.execute(database());
    const address = authenticatorAddress(key, rows[0]?.username ?? '', 'Tipledger');
    return { key, address, picture: qrPicture(address) };
  });
}

/**
 * Product §11: the key works: the factor counts from now on, this login has shown it, and ten recovery codes are given, of which only hashes are
 * kept. Failure 'unauthorised', 'forbidden', 'conflict' where nothing was begun or all is done, 'invalid' for a wrong code, 'locked' after five.
 */
export async function confirmFactor(viewer: Viewer, code: string): Promise<RecoveryCodes> {
  const entrant = entrantOf(viewer);
  const recoveryCodes = Array.from({ length: factorLimits.recoveryCodes }, () => base32(randomBytes(10)).toLowerCase());
  await tried(entrant, false, async (factor, now) => {
    if (!(await takesCode(entrant.accountId, factor, code, now))) return false;
    await sql`update staff_factor set confirmed_at = ${now} where account_id = ${entrant.accountId}`.execute(
      database(),
    );
    await sql`
      insert into staff_recovery_code (account_id, code_hash)
      select ${entrant.accountId}, unnest(${arrayOf(recoveryCodes.map(hashToken))}::text[])
    `.execute(database());
    await openStaffSession(entrant, now);
    await writeEntry({
      actor: { id: entrant.accountId, role: entrant.role },
      action: 'user.second-factor',
      subject: { kind: 'user', id: String(entrant.accountId) },
      reason: 'Set up at the first visit.',
      before: { 'second factor': false },
      after: { 'second factor': true },
    });
    return true;
  });
  return { recoveryCodes: recoveryCodes.map((each) => each.match(/.{4}/g)?.join('-') ?? each) };
}

/**
 * Product §11: this login has shown the second factor, by a code of the authenticator or a recovery code, each of which is good once. Failure
 * 'unauthorised', 'forbidden', 'conflict' without a factor, 'invalid' for a wrong code, 'locked' after five of them.
 */
export async function proveFactor(viewer: Viewer, code: string): Promise<void> {
  const entrant = entrantOf(viewer);
  await tried(entrant, true, async (factor, now) => {
    const isGood =
      code.length === factorLimits.digits
        ? await takesCode(entrant.accountId, factor, code, now)
        : await takesRecoveryCode(entrant.accountId, code, now);
    if (isGood) await openStaffSession(entrant, now);
    return isGood;
  });
}

/** Tries a code under the lock of the account's factor: five wrong ones close it for a while. What was counted is kept, whatever is answered. */
async function tried(
  { accountId }: Entrant,
  wasConfirmed: boolean,
  take: (factor: Factor, now: Date) => Promise<boolean>,
): Promise<void> {
  const refusal = await transact(async () => {
    await holdAccount(accountId);
    const factor = await holdFactor(accountId);
    if (!factor || factor.isConfirmed !== wasConfirmed)
      return new Failure('conflict', 'Open /admin again: your second factor was changed meanwhile.');
    const now = await decisionMoment();
    if (factor.lockedUntil && factor.lockedUntil > now)
      return new Failure('locked', 'Too many wrong codes. Wait a quarter of an hour, then try again.');
    if (await take(factor, now)) {
      await sql`update staff_factor set tries = 0, locked_until = null where account_id = ${accountId}`.execute(
        database(),
      );
      await forget([`account:${accountId}`]);
      return null;
    }
    const isLast = factor.tries + 1 >= factorLimits.tries;
    const lockedUntil = isLast ? new Date(now.getTime() + factorLimits.lockSeconds * 1000) : null;
    await sql`
      update staff_factor set tries = ${isLast ? 0 : factor.tries + 1}, locked_until = ${lockedUntil} where account_id = ${accountId}
    `.execute(database());
    const message = 'This code is not right, or it was used. Wait for the next one and enter it.';
    return new Failure('invalid', message, { code: message });
  });
  if (refusal) throw refusal;
}

async function takesCode(accountId: number, factor: Factor, code: string, now: Date): Promise<boolean> {
  const key = fromBase32(openUnder(await readSecret(secretName), factor.sealedKey));
  const step = await stepOfCode(key, code, factor.lastStep, now);
  if (step === null) return false;
  await sql`update staff_factor set last_step = ${step} where account_id = ${accountId}`.execute(database());
  return true;
}

async function takesRecoveryCode(accountId: number, code: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update staff_recovery_code set used_at = ${now} where account_id = ${accountId} and code_hash = ${hashToken(code)} and used_at is null returning 1
  `.execute(database());
  return rows.length > 0;
}

async function openStaffSession({ sessionId }: Entrant, now: Date): Promise<void> {
  await sql`
    insert into staff_session (session_id, proven_at, used_at) values (${sessionId}, ${now}, ${now})
    on conflict (session_id) do update set proven_at = excluded.proven_at, used_at = excluded.used_at
  `.execute(database());
}

const noteMilliseconds = 60_000;

/** Notes that a login that has shown the second factor is of use, once a minute at most, so that it is asked again only after a time without. */
export async function noteStaffUse(viewer: Viewer, now: Date): Promise<void> {
  if (viewer.kind === 'guest' || !viewer.proven || viewer.sessionId === null) return;
  await sql`
    update staff_session set used_at = ${now} where session_id = ${viewer.sessionId} and used_at < ${new Date(now.getTime() - noteMilliseconds)}
  `.execute(database());
}
