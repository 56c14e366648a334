import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { hashToken, newToken, openUnder, readAccessToken, sealUnder, signAccessToken } from '@/lib/platform/tokens';
import type { Role } from '@/lib/reference/schema';
import { accountLimits, type Caller, type IssuedSession } from '../schema/authentication';

const { refreshTokenSeconds, successorReplaySeconds } = accountLimits;
const longestDevice = 200;

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000);

/** Product §3: begins a family of tokens for an account that has shown who it is. */
export async function openSession(
  { accountId, role }: { accountId: number; role: Role },
  { address, device }: Caller,
  now: Date,
): Promise<IssuedSession> {
  const [sessionId, cookie, refreshToken] = [newToken().slice(0, 22), newToken(), newToken()];
  const expiresAt = after(now, refreshTokenSeconds);
  await transact(async () => {
    await sql`
      insert into session (id, account_id, cookie_hash, address, device, created_at, used_at, expires_at)
      values (${sessionId}, ${accountId}, ${hashToken(cookie)}, ${address}, ${device.slice(0, longestDevice)}, ${now}, ${now}, ${expiresAt})
    `.execute(database());
    await sql`insert into refresh_token (hash, session_id, expires_at) values (${hashToken(refreshToken)}, ${sessionId}, ${expiresAt})`.execute(
      database(),
    );
  });
  return { token: await signAccessToken({ accountId, sessionId, role }, now), refreshToken, role, cookie };
}

/**
 * Product §3: tokens for the login whose session cookie the caller brings, for a browser that lost those it kept or signed in by a form.
 * Failure 'unauthorised' where the cookie stands for no login that holds.
 */
export async function resumeSession({ cookie }: Caller, now: Date): Promise<IssuedSession> {
  const refreshToken = newToken();
  const family = await transact(async () => {
    const { rows } = await sql<Pick<Family, 'id' | 'accountId' | 'role'>>`
      select session.id, account_id as "accountId", role from session join account on account.id = account_id
      where cookie_hash = ${cookie === null ? null : hashToken(cookie)} and revoked_at is null and deleted_at is null and session.expires_at > ${now}
      for update of session
    `.execute(database());
    const [found] = rows;
    if (found) await addRefreshToken(found.id, refreshToken, now);
    return found;
  });
  if (!family || cookie === null) throw new Failure('unauthorised', 'You are not signed in here. Sign in first.');
  const { id: sessionId, accountId, role } = family;
  return { token: await signAccessToken({ accountId, sessionId, role }, now), refreshToken, role, cookie };
}

type Family = { id: string; accountId: number; role: Role; cookieHash: string; revoked: boolean; deleted: boolean };
type StoredToken = { usedAt: Date | null; expiresAt: Date; successor: string | null };

const ended = () => new Failure('invalid', 'This login has ended. Sign in again.');

/**
 * Product §3: rotates a refresh token. The same token again within 30 seconds gives the same successor, so that tabs may refresh at once; later
 * it ends the whole login, since somebody else holds a copy: Failure 'conflict'. Failure 'invalid' for a token that is unknown, expired or ended,
 * and for an access token of another login.
 */
export async function refreshSession(
  tokens: { accessToken: string; refreshToken: string },
  caller: Caller,
  now: Date,
): Promise<IssuedSession> {
  const claims = await readAccessToken(tokens.accessToken, now, { expired: true });
  const hash = hashToken(tokens.refreshToken);
  const taken = await transact(async () => {
    const family = await lockFamily(hash);
    const token = family && (await readToken(hash));
    if (
      !family ||
      !token ||
      family.revoked ||
      family.deleted ||
      token.expiresAt <= now ||
      claims?.sessionId !== family.id
    )
      throw ended();
    const refreshToken =
      token.successor === null
        ? await rotate(family, tokens.refreshToken, hash, now)
        : replay(token, tokens.refreshToken, now);
    if (refreshToken === null) {
      await revokeSession(family.id, 'refresh token used again', now);
      return null;
    }
    return { family, refreshToken, cookie: await renewCookie(family, caller.cookie) };
  });
  if (!taken)
    throw new Failure(
      'conflict',
      'This login was refreshed elsewhere with the same token, so it was ended to be safe. Sign in again.',
    );
  const { family, refreshToken, cookie } = taken;
  return {
    token: await signAccessToken({ accountId: family.accountId, sessionId: family.id, role: family.role }, now),
    refreshToken,
    role: family.role,
    cookie,
  };
}

async function lockFamily(hash: string): Promise<Family | null> {
  const { rows } = await sql<Family>`
    select session.id, account_id as "accountId", role, cookie_hash as "cookieHash", revoked_at is not null as revoked, deleted_at is not null as deleted
    from session join account on account.id = account_id
    where session.id = (select session_id from refresh_token where hash = ${hash}) for update of session
  `.execute(database());
  return rows[0] ?? null;
}

// Read once the family is held, so that of many at once the first rotates and the others find its successor.
async function readToken(hash: string): Promise<StoredToken | null> {
  const { rows } =
    await sql<StoredToken>`select used_at as "usedAt", expires_at as "expiresAt", successor from refresh_token where hash = ${hash}`.execute(
      database(),
    );
  return rows[0] ?? null;
}

async function rotate(family: Family, refreshToken: string, hash: string, now: Date): Promise<string> {
  const successor = newToken();
  await sql`update refresh_token set used_at = ${now}, successor = ${sealUnder(refreshToken, successor)} where hash = ${hash}`.execute(
    database(),
  );
  await addRefreshToken(family.id, successor, now);
  return successor;
}

async function addRefreshToken(sessionId: string, refreshToken: string, now: Date): Promise<void> {
  const expiresAt = after(now, refreshTokenSeconds);
  await sql`insert into refresh_token (hash, session_id, expires_at) values (${hashToken(refreshToken)}, ${sessionId}, ${expiresAt})`.execute(
    database(),
  );
  await sql`update session set used_at = ${now}, expires_at = ${expiresAt} where id = ${sessionId}`.execute(database());
}

function replay({ usedAt, successor }: StoredToken, refreshToken: string, now: Date): string | null {
  if (usedAt === null || successor === null || now > after(usedAt, successorReplaySeconds)) return null;
  return openUnder(refreshToken, successor);
}

// The cookie that the browser has stays; one that went, or is of another login, is made anew, so that pages and calls know the same member.
async function renewCookie(family: Family, cookie: string | null): Promise<string> {
  if (cookie !== null && hashToken(cookie) === family.cookieHash) return cookie;
  const fresh = newToken();
  await sql`update session set cookie_hash = ${hashToken(fresh)} where id = ${family.id}`.execute(database());
  return fresh;
}

/**
 * Ours (0104): holds the login by which a member is here, in the caller's transaction, so that what hangs on it is written before the login ends, or
 * not at all. Failure 'unauthorised' where it has ended.
 */
export async function holdLogin({ sessionId }: Viewer & { kind: 'member' }): Promise<void> {
  if (sessionId === null) return;
  const { rows } = await sql`select from session where id = ${sessionId} and revoked_at is null for share`.execute(
    database(),
  );
  if (rows.length === 0) throw new Failure('unauthorised', 'This login has ended. Sign in again.');
}

type Revoked = { id: string; accountId: number };

// Ours (0104): the browsers that asked to be told by logins that end here are told no more.
async function afterRevoking(revoked: readonly Revoked[]): Promise<void> {
  await sql`delete from push_subscription where session_id = any(${revoked.map(({ id }) => id)}::text[])`.execute(
    database(),
  );
  await forget(revoked.map(({ accountId }) => `account:${accountId}`));
}

/** In the transaction of the caller, who holds the login. */
async function revokeSession(id: string, because: string, now: Date): Promise<void> {
  const { rows } = await sql<Revoked>`
    update session set revoked_at = ${now}, revoked_because = ${because} where id = ${id} and revoked_at is null returning id, account_id as "accountId"
  `.execute(database());
  await afterRevoking(rows);
}

/** Product §3, ours (0104): ends every login of an account, and with them every way by which whoever used one may be told outside the site. */
export async function revokeSessions(accountId: number, because: string, now: Date): Promise<void> {
  await transact(async () => {
    // A browser that is just being added, or renewed, is added first, and goes with the others.
    await sql`select from account where id = ${accountId} for no key update`.execute(database());
    await sql`update session set revoked_at = ${now}, revoked_because = ${because} where account_id = ${accountId} and revoked_at is null`.execute(
      database(),
    );
    // The code before the chat: a chat that is being linked has spent the one before it writes the other.
    for (const table of ['push_subscription', 'telegram_code', 'telegram_link'])
      await sql`delete from ${sql.table(table)} where account_id = ${accountId}`.execute(database());
    await forget([`account:${accountId}`]);
  });
}

/** Ends the login of a refresh token, and that of the cookie of a browser that signs out; says nothing when there is none. */
export async function closeSession(
  { refreshToken }: { refreshToken: string },
  { cookie }: Caller,
  now: Date,
): Promise<void> {
  const hashes = [refreshToken, cookie ?? ''].map((secret) => (secret === '' ? null : hashToken(secret)));
  await transact(async () => {
    const { rows } = await sql<Revoked>`
      update session set revoked_at = ${now}, revoked_because = 'signed out'
      where revoked_at is null and (id = (select session_id from refresh_token where hash = ${hashes[0] ?? null}) or cookie_hash = ${hashes[1] ?? null})
      returning id, account_id as "accountId"
    `.execute(database());
    await afterRevoking(rows);
  });
}

/** Signs the viewer out everywhere. */
export async function closeAllSessions(viewer: Viewer, now: Date): Promise<void> {
  requireMember(viewer);
  await revokeSessions(viewer.accountId, 'signed out everywhere', now);
}

/** Removes what logins, proofs and codes leave behind once it can decide nothing any more. */
export async function pruneAccounts(now: Date): Promise<void> {
  const monthAgo = after(now, -refreshTokenSeconds);
  await sql`delete from refresh_token where expires_at < ${now}`.execute(database());
  await sql`delete from session where expires_at < ${now} or revoked_at < ${monthAgo}`.execute(database());
  await sql`delete from spent_proof where expires_at < ${now}`.execute(database());
  await sql`delete from account_code where expires_at < ${now}`.execute(database());
  await sql`delete from login_attempt where window_start < ${after(now, -accountLimits.loginWindowSeconds)}`.execute(
    database(),
  );
}
