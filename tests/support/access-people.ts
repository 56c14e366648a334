import { writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { importJWK, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { deleteAccount } from '@/lib/accounts/commands';
import { now as present } from '@/lib/platform/clock';
import { closeDatabase, database } from '@/lib/platform/database';
import { openEmbeddedPostgres } from '@/lib/platform/embedded-postgres';
import { env } from '@/lib/platform/env';
import { createPortfolio } from '@/lib/portfolios/commands';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { type AccountGiven, logIn, openAccount, proveStaff, rightPassword, viewerOf } from './accounts';
import { type AccessPeople, accessPassword, type Credentials, type Known } from './access-kinds';
import { publishPost } from './moments';

const dayMilliseconds = 86_400_000;

const given: Record<Known, AccountGiven> = {
  unverified: { confirmed: false },
  member: {},
  pro: { pro: true },
  owner: {},
  'other owner': {},
  admin: { role: Role.admin },
  'super admin': { role: Role.superAdmin },
};

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as JWTPayload;

/** The same token for another audience, signed by the site's own key. */
async function forElsewhere(claims: JWTPayload): Promise<string> {
  const { rows } = await sql<{
    id: string;
    jwk: JWK;
  }>`select id, private_jwk as jwk from token_key order by signs_until desc limit 1`.execute(database());
  const [key] = rows;
  if (!key) throw new Error('The site has no key that signs.');
  return new SignJWT({ ...claims, aud: 'another-api' })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: key.id })
    .sign(await importJWK(key.jwk, 'EdDSA'));
}

/** Opens an account of each kind on the database of a running site, and one login that is good for nothing of each kind; `mark` keeps the names apart from those of other runs. */
async function openAll(mark: string, now: Date): Promise<AccessPeople> {
  if (rightPassword !== accessPassword)
    throw new Error('The password of accounts.ts is another one; write it into access-kinds.ts.');
  const nameOf = (kind: string) => `${kind.replace(' ', '-')}-${mark}`;
  const enter = async (kind: string, account: AccountGiven = {}, at: Date = now) => {
    const id = await openAccount(nameOf(kind), account, at);
    return { id, login: await logIn(id, at, account.role) };
  };
  const credentials: Record<string, Credentials> = { guest: { cookie: null, bearer: null } };
  let [reference, post] = ['', ''];
  for (const [kind, account] of Object.entries(given)) {
    const { login } = await enter(kind, account);
    if (account.role !== undefined) await proveStaff(login, now);
    credentials[kind] = { cookie: login.cookie, bearer: login.token };
    if (!kind.includes('owner')) continue;
    // Hidden, so that no list of the site shows it.
    const portfolio = await createPortfolio(
      await viewerOf(login, now),
      { name: `Desk ${mark} ${kind === 'owner' ? 'one' : 'two'}`, visibility: PortfolioVisibility.hidden },
      now,
    );
    if (kind !== 'owner') continue;
    reference = portfolio.reference;
    ({ reference: post } = await publishPost(
      await viewerOf(login, now),
      reference,
      { idempotencyKey: 'first', title: `A post of desk ${mark}`, body: 'Written by its owner.' },
      now,
    ));
  }
  const deleted = await enter('deleted');
  await deleteAccount(await viewerOf(deleted.login, now), now);
  const out = await enter('signed-out');
  await sql`update session set revoked_at = ${now}, revoked_because = 'signed out' where account_id = ${out.id}`.execute(
    database(),
  );
  const stale = await enter('stale', {}, new Date(now.getTime() - 31 * dayMilliseconds));
  const { login } = await enter('forger', { role: Role.superAdmin });
  const claims = claimsOf(login.token);
  const elsewhere = await forElsewhere(claims);
  return {
    mark,
    reference,
    post,
    credentials: {
      ...credentials,
      deleted: { cookie: deleted.login.cookie, bearer: deleted.login.token },
      'signed out': { cookie: out.login.cookie, bearer: out.login.token },
      'stale token': { cookie: stale.login.cookie, bearer: stale.login.token },
      'wrong-audience token': { cookie: elsewhere, bearer: elsewhere },
      'alg: none': { cookie: new UnsecuredJWT(claims).encode(), bearer: new UnsecuredJWT(claims).encode() },
      'bearer alone': { cookie: null, bearer: login.token },
      'refresh token': { cookie: login.refreshToken, bearer: null },
    },
  };
}

/** Opens them on the data folder of a site that runs, and writes their credentials to the file named. */
export async function main([file = '', mark = '']: string[]): Promise<number> {
  const server = await openEmbeddedPostgres({
    dataFolder: env().dataFolder,
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  process.env.DATABASE_URL = server.url;
  try {
    writeFileSync(file, JSON.stringify(await openAll(mark, present())));
    return 0;
  } finally {
    await closeDatabase();
    await server.stop();
  }
}
