import 'server-only';
import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import { newReference } from '@/lib/platform/reference';
import { Failure } from '@/lib/platform/errors';
import { Role } from '@/lib/reference/schema/enumerations';
import { countries } from '@/lib/reference/schema/countries';
import { sendCode } from './commands/codes';
import { hashPassword } from './commands/passwords';
import { spendProof } from './commands/proof';
import { openSession } from './commands/sessions';
import { isReservedName, whyNotPassword } from './rules';
import type { Caller, IssuedSession, Registration } from './schema';

/** Creates an account and returns its id; `demo` marks it, and every portfolio that it opens, as demo data. Failure 'conflict' for a name that is taken. */
export async function createAccount({ username, demo }: { username: string; demo: boolean }, now: Date): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into account (username, demo, created_at) values (${username}, ${demo}, ${now}) on conflict (username) do nothing returning id
  `.execute(database());
  if (!rows[0]) throw nameTaken(username);
  return rows[0].id;
}

const nameTaken = (username: string) => new Failure('conflict', `The name ${username} is taken. Choose another one.`, { username: 'This name is taken. Choose another one.' });

// Of the address nothing shows in it.
const givenName = () => `member-${newReference(8)}`;

/**
 * Product §3: opens an account, signs it in and mails the code that confirms its address; without a username one is given. `unproven` takes the
 * form of a browser without script. Failure 'invalid' for a password that is easily guessed, 'conflict' for a name or address that is taken.
 */
export async function registerAccount(input: Registration, { unproven, ...caller }: Caller & { unproven: boolean }, now: Date): Promise<IssuedSession> {
  const { email, username, password, location, timezoneId, news, token } = input;
  const why = whyNotPassword(password, { email, username });
  if (why) throw new Failure('invalid', why, { password: why });
  if (username && isReservedName(username)) throw nameTaken(username);
  await spendProof(token, { address: caller.address, unproven }, now);
  const passwordHash = await hashPassword(password);
  const countryId = countries.find(({ iso2 }) => iso2 === location)?.id ?? null;
  return transact(async () => {
    const name = username ?? givenName();
    const { rows } = await sql<{ id: number }>`
      insert into account (username, email, password_hash, news, location, country_id, timezone_id, created_at)
      values (${name}, ${email}, ${passwordHash}, ${news}, ${location}, ${countryId}, ${timezoneId}, ${now})
      on conflict do nothing returning id
    `.execute(database());
    if (!rows[0]) throw await whoHasIt(email, name);
    await sendCode({ id: rows[0].id, username: name, email }, 'confirm', now);
    return openSession({ accountId: rows[0].id, role: Role.user }, caller, now);
  });
}

async function whoHasIt(email: string, username: string): Promise<Failure> {
  const { rows } = await sql`select 1 from account where lower(email) = lower(${email})`.execute(database());
  if (rows.length === 0) return nameTaken(username);
  return new Failure('conflict', 'There is an account with this e-mail address. Log in, or choose a new password.', { email: 'There is an account with this address. Log in, or choose a new password.' });
}
