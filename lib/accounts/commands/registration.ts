import 'server-only';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { newReference } from '@/lib/platform/reference';
import { Failure } from '@/lib/platform/errors';
import { countries, Role } from '@/lib/reference/schema';
import { askForCode } from './sent-codes';
import { hashPassword } from './passwords';
import { spendProof } from './proof';
import { openSession } from './sessions';
import { isReservedName } from '../rules/usernames';
import { whyNotPassword } from '../rules/passwords';
import { accountLimits, type Caller, type IssuedSession, type Registration } from '../schema/authentication';

/** Creates an account and returns its id; `demo` marks it, and every portfolio that it opens, as demo data. Failure 'conflict' for a name that is taken. */
export async function createAccount(
  { username, demo }: { username: string; demo: boolean },
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into account (username, demo, created_at) values (${username}, ${demo}, ${now}) on conflict (username) do nothing returning id
  `.execute(database());
  if (!rows[0]) throw nameTaken(username);
  return rows[0].id;
}

const nameTaken = (username: string) =>
  new Failure('conflict', `The name ${username} is taken. Choose another one.`, {
    username: 'This name is taken. Choose another one.',
  });

// Of the address nothing shows in it.
const givenName = () => `member-${newReference(8)}`;

/**
 * Product §3: opens an account, signs it in and has the code mailed that confirms its address; without a username one is given. `unproven` takes the
 * form of a browser without script. An address that somebody has confirmed is taken as any other (0050): what its owner is told, and that no
 * code comes, shows in the mailbox alone. Failure 'invalid' for a password that is easily guessed or a name that is kept, 'conflict' for a name
 * that is taken and for an address of which a sign-up is under way.
 */
export async function registerAccount(
  input: Registration,
  { unproven, ...caller }: Caller & { unproven: boolean },
  now: Date,
): Promise<IssuedSession> {
  const { email, username, password, location, timezoneId, news, token, affiliate } = input;
  const why = whyNotPassword(password, { email, username });
  if (why) throw new Failure('invalid', why, { password: why });
  if (username && isReservedName(username)) throw new Failure('invalid', nameKept, { username: nameKept });
  await spendProof(token, { address: caller.address, unproven }, now);
  const passwordHash = await hashPassword(password);
  const countryId = countries.find(({ iso2 }) => iso2 === location)?.id ?? null;
  return transact(async () => {
    const name = username ?? givenName();
    const oldest = new Date(now.getTime() - accountLimits.claimSeconds * 1000);
    const lapsed = sql`lower(email) = lower(${email}) and not email_confirmed and created_at <= ${oldest}`;
    // What was mailed to the address is worth nothing to whoever claimed it; the codes before the account, as where one is used.
    await sql`delete from account_code where account_id in (select id from account where ${lapsed})`.execute(
      database(),
    );
    const released = await sql<{ id: number }>`update account set email = null where ${lapsed} returning id`.execute(
      database(),
    );
    const { rows } = await sql<{ id: number }>`
      insert into account (username, email, password_hash, news, location, country_id, timezone_id, created_at)
      values (${name}, ${email}, ${passwordHash}, ${news}, ${location}, ${countryId}, ${timezoneId}, ${now})
      on conflict do nothing returning id
    `.execute(database());
    if (!rows[0]) throw await whoHasIt(name);
    if (affiliate) await referAccount(rows[0].id, { affiliate, email }, now);
    await askForCode(email, 'confirm', now, caller.address);
    await forget(released.rows.map(({ id }) => `account:${id}`));
    return openSession({ accountId: rows[0].id, role: Role.user }, caller, now);
  });
}

/**
 * Product §8: keeps by whose link an account came; nothing for a code that is nobody's. Nobody is their own affiliate: an address that differs by
 * what stands behind a plus sign is the same mailbox.
 */
export async function referAccount(
  accountId: number,
  given: { affiliate: string; email: string | null },
  now: Date,
): Promise<void> {
  await sql`
    insert into referral (account_id, affiliate_id, at)
    select ${accountId}::int, id, ${now}::timestamptz from account
    where lower(affiliate_reference) = lower(${given.affiliate}) and deleted_at is null and id <> ${accountId}
      and (email is null or ${given.email}::text is null or regexp_replace(lower(email), '[+][^@]*@', '@') <> regexp_replace(lower(${given.email}::text), '[+][^@]*@', '@'))
    on conflict do nothing
  `.execute(database());
}

const nameKept =
  'This name is reserved: it could be mistaken for the site, its staff or a bookmaker. Choose another one.';
const underWay =
  'Somebody signed up with this address less than a day ago. Enter the code that was e-mailed to it, or choose a new password.';

async function whoHasIt(username: string): Promise<Failure> {
  const { rows } = await sql`select 1 from account where username = ${username}`.execute(database());
  return rows.length > 0 ? nameTaken(username) : new Failure('conflict', underWay, { email: underWay });
}
