import { writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { importJWK, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { deleteAccount } from '@/lib/accounts/commands';
import { listMemberships } from '@/lib/memberships/queries';
import { now as present } from '@/lib/platform/clock';
import { closeDatabase, database, transact } from '@/lib/platform/database';
import { openEmbeddedPostgres } from '@/lib/platform/embedded-postgres';
import { env } from '@/lib/platform/env';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { type AccountGiven, logIn, openAccount, rightPassword, viewerOf } from './accounts';
import { type AccessPeople, accessPassword, type Credentials, lockedText, nameOfKind } from './access-kinds';
import { type AccessWorld, openAccessWorld } from './access-world';
import { publishPost } from './moments';

const dayMilliseconds = 86_400_000;

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

/** Everybody of the access matrix, with a post for members; nobody else sees anything of it but by its address, as what sells is hidden before it is stored. */
async function openWorld(mark: string, now: Date): Promise<AccessWorld & { post: string; receipt: number }> {
  return transact(async () => {
    const world = await openAccessWorld(now, { mark, names: [`Desk ${mark} one`, `Desk ${mark} two`] });
    const { people, portfolio } = world;
    const input = { idempotencyKey: 'first', title: `A post of desk ${mark}`, body: lockedText, premiumOnly: true };
    const { reference: post } = await publishPost(people.owner.viewer, portfolio.reference, input, now);
    await sql`update portfolio set visibility = ${PortfolioVisibility.hidden} where owner_id = any(${[people.owner.id, people['other owner'].id]}::int[])`.execute(
      database(),
    );
    const { receipts } = await listMemberships(people.active.viewer, now);
    return { ...world, post, receipt: receipts[0]?.number ?? 0 };
  });
}

/** Opens everybody of the access matrix on the database of a running site, and one login that is good for nothing of each kind; `mark` keeps the names apart from those of other runs. */
async function openAll(mark: string, now: Date): Promise<AccessPeople> {
  if (rightPassword !== accessPassword)
    throw new Error('The password of accounts.ts is another one; write it into access-kinds.ts.');
  const enter = async (kind: string, account: AccountGiven = {}, at: Date = now) => {
    const id = await openAccount(nameOfKind(kind, mark), account, at);
    return { id, login: await logIn(id, at, account.role) };
  };
  const { people, portfolio, order, post, receipt } = await openWorld(mark, now);
  const credentials: Record<string, Credentials> = { guest: { cookie: null, bearer: null } };
  for (const [kind, { login }] of Object.entries(people))
    credentials[kind] = { cookie: login.cookie, bearer: login.token };
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
    reference: portfolio.reference,
    post,
    order,
    receipt: String(receipt),
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
