import 'server-only';
import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import { Failure, type FailureKind } from '@/lib/platform/errors';
import { networkOf } from '@/lib/platform/rate-limit';
import { hashToken } from '@/lib/platform/tokens';
import { LoginOutcome, type Role } from '@/lib/reference/schema';
import { isPossibleName } from '../rules/usernames';
import { accountLimits, type Caller, type IssuedSession, outcomeNumber } from '../schema/authentication';
import { isPassword } from './passwords';
import { openSession } from './sessions';

type Credentials = { username: string; password: string };
type Known = { id: number; passwordHash: string | null; confirmed: boolean };

type Refused = Exclude<LoginOutcome, 'success' | 'error'>;

const refusals: Record<Refused, { kind: FailureKind; message: string }> = {
  [LoginOutcome.incorrectUser]: {
    kind: 'unauthorised',
    message: 'No account can have this name. Enter your username or the e-mail address of your account.',
  },
  [LoginOutcome.incorrectPassword]: {
    kind: 'unauthorised',
    message: 'Wrong username or password.',
  },
  [LoginOutcome.locked]: {
    kind: 'locked',
    message: 'Too many wrong passwords. Try again in 15 minutes, or reset your password.',
  },
};

function refusal(outcome: Refused): Failure {
  const { kind, message } = refusals[outcome];
  const field = outcome === LoginOutcome.incorrectUser ? 'username' : 'password';
  return new Failure(
    kind,
    message,
    { [field]: message },
    { outcome: outcomeNumber(outcome), token: null, refreshToken: null, role: null },
  );
}

/**
 * Product §3: signs in by username or e-mail address. An unknown name and a wrong password end alike and after the same work; ten of them in 15
 * minutes lock the pair of account and network (0050) for 15 minutes. The Failure carries the outcome of spec §3.
 */
export async function signIn({ username, password }: Credentials, caller: Caller, now: Date): Promise<IssuedSession> {
  if (!isPossibleName(username)) throw refusal(LoginOutcome.incorrectUser);
  const accounts = await findByName(username);
  const pairOf = (who: number | string) => hashToken(`${who}|${networkOf(caller.address)}`);
  const ofAddress = username.includes('@');
  // 0117: an address counts by itself too, so that whoever claims it is told the same whether another account has it or not.
  const byName = ofAddress || accounts.length === 0 ? [pairOf(username.toLowerCase())] : [];
  const pairs = [...byName, ...accounts.map(({ id }) => pairOf(id))];
  const over = await countAttempts(pairs, now);
  // 0117: where an address is claimed the limits of its accounts are not told, as whoever claims it could reach those of a name that may stand behind it.
  const told = accounts.some(({ confirmed }) => !confirmed) && ofAddress ? byName : pairs;
  if (told.some((pair) => over.has(pair))) throw refusal(LoginOutcome.locked);
  let account: Known | null = null;
  // Looked at even when it is longer than any password, and when there is no account: the time tells nothing.
  for (let place = 0; place < (ofAddress ? accountsOfAddress : 1); place += 1) {
    const known = accounts[place] ?? null;
    if (
      (await isPassword(password.slice(0, 1_000), known?.passwordHash ?? null)) &&
      known &&
      !over.has(pairOf(known.id))
    )
      account ??= known;
  }
  if (!account) throw refusal(LoginOutcome.incorrectPassword);
  const { id, passwordHash, confirmed } = account;
  return transact(async () => {
    const role = await holdVerified(id, passwordHash);
    if (role === null) throw refusal(LoginOutcome.incorrectPassword);
    const proved = [pairOf(id), ...(confirmed ? byName : [])];
    await forgetAttempts(pairs, proved);
    return openSession({ accountId: id, role }, caller, now);
  });
}

/** Keeps the password that was looked at from being changed, and the account from being deleted, until the session is there for whoever does to end; null where either came first. */
async function holdVerified(accountId: number, passwordHash: string | null): Promise<Role | null> {
  const { rows } = await sql<{ role: Role }>`
    select role from account where id = ${accountId} and deleted_at is null and password_hash = ${passwordHash} for share
  `.execute(database());
  return rows[0]?.role ?? null;
}

// The one that confirmed it and one that claims it (0050).
const accountsOfAddress = 2;

async function findByName(name: string): Promise<Known[]> {
  const { rows } = await sql<Known>`
    select id, password_hash as "passwordHash", email_confirmed as confirmed from account
    where deleted_at is null and (lower(email) = lower(${name}) or username = lower(${name})) order by id limit ${accountsOfAddress}
  `.execute(database());
  return rows;
}

/** Counts a try for each of the pairs, and gives those beyond the limit. Before the password is looked at, so that many at once are no more than many in turn; the tenth begins the window anew: it is the lock. */
async function countAttempts(pairs: readonly string[], now: Date): Promise<ReadonlySet<string>> {
  const { loginAttempts, loginWindowSeconds } = accountLimits;
  const oldest = new Date(now.getTime() - loginWindowSeconds * 1000);
  const { rows } = await sql<{ key: string; attempts: number }>`
    insert into login_attempt as known (key, window_start, attempts)
    select key, ${now}, 1 from unnest(${pairs}::text[]) as given (key) order by key
    on conflict (key) do update set
      attempts = case when known.window_start <= ${oldest} then 1 else least(known.attempts + 1, ${loginAttempts + 1}) end,
      window_start = case when known.window_start <= ${oldest} or known.attempts + 1 = ${loginAttempts} then ${now} else known.window_start end
    returning key, attempts
  `.execute(database());
  return new Set(rows.flatMap(({ key, attempts }) => (attempts > loginAttempts ? [key] : [])));
}

/** Forgets the wrong passwords of the pairs that were `proved`, and takes the right one back from the others, whose wrong ones stay. */
async function forgetAttempts(pairs: readonly string[], proved: readonly string[]): Promise<void> {
  await sql`select from login_attempt where key = any(${pairs}::text[]) order by key for update`.execute(database());
  await sql`delete from login_attempt where key = any(${proved}::text[])`.execute(database());
  await sql`update login_attempt set attempts = greatest(attempts - 1, 0) where key = any(${pairs}::text[])`.execute(
    database(),
  );
}
