import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { hashPassword, issueChallenge } from '@/lib/accounts/commands';
import { openSession } from '@/lib/accounts/commands/sessions';
import type { Caller, IssuedSession } from '@/lib/accounts/schema';
import { viewerOfCookie } from '@/lib/http/viewer-identity';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { hashToken } from '@/lib/platform/tokens';
import { Role } from '@/lib/reference/schema';

/** The password of every account that the tests open. */
export const rightPassword = 'three plain otters';

const rightHash = new Map<string, Promise<string>>();

/** What a test says of an account. */
export type AccountGiven = { role?: Role; pro?: boolean; confirmed?: boolean };

/** An account of this name with the password of the tests and the address name@example.org; returns its id. */
export async function openAccount(
  username: string,
  { role = Role.user, pro = false, confirmed = true }: AccountGiven,
  now: Date,
): Promise<number> {
  const hash = rightHash.get(rightPassword) ?? hashPassword(rightPassword);
  rightHash.set(rightPassword, hash);
  const { rows } = await sql<{ id: number }>`
    insert into account (username, email, password_hash, role, pro, email_confirmed, created_at)
    values (${username}, ${`${username}@example.org`}, ${await hash}, ${role}, ${pro}, ${confirmed}, ${now}) returning id
  `.execute(database());
  return rows[0]?.id ?? 0;
}

/** A caller from an address of its own, with a session cookie where one is given. */
export function callerFrom(address: string, cookie: string | null = null): Caller {
  return { address, device: 'Test browser', cookie };
}

/** A login of an account, as the commands give it. */
export async function logIn(accountId: number, now: Date, role: Role = Role.user): Promise<IssuedSession> {
  return openSession({ accountId, role }, callerFrom('192.0.2.1'), now);
}

/** The headers of a call that a login makes. */
export const bearer = ({ token }: Pick<IssuedSession, 'token'>): Record<string, string> => ({
  authorization: `Bearer ${token}`,
});

/** Lets a login have shown the second factor of staff at this moment. */
export async function proveStaff({ cookie }: Pick<IssuedSession, 'cookie'>, now: Date): Promise<void> {
  await sql`
    insert into staff_session (session_id, proven_at, used_at) select id, ${now}, ${now} from session where cookie_hash = ${hashToken(cookie)}
  `.execute(database());
}

/** A member of staff who is here by a login that has shown the second factor. */
export async function openStaff(
  username: string,
  role: Role,
  now: Date,
): Promise<{ id: number; session: IssuedSession; viewer: Viewer }> {
  const id = await openAccount(username, { role }, now);
  const session = await logIn(id, now, role);
  await proveStaff(session, now);
  return { id, session, viewer: await viewerOf(session, now) };
}

/** Who the login's cookie stands for. */
export const viewerOf = ({ cookie }: Pick<IssuedSession, 'cookie'>, now: Date): Promise<Viewer> =>
  viewerOfCookie(cookie, now);

/** The six digits of the newest mail to an address; throws when there is none. */
export async function codeMailedTo(email: string): Promise<string> {
  const { rows } = await sql<{
    text: string;
  }>`select text from mail_outbox where recipient = ${email} order by id desc limit 1`.execute(database());
  const code = /^\d{6}$/m.exec(rows[0]?.text ?? '')?.[0];
  if (!code) throw new Error(`No code was mailed to ${email}.`);
  return code;
}

/** A code of six digits that is not this one. */
export const otherCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** The token of a proof of work, solved as a browser does. */
export async function solvedProof(now: Date): Promise<string> {
  const challenge = await issueChallenge(now);
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('The challenge was not solved.');
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

/** An address that no other test calls from. */
export const newAddress = (): string => `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`;
