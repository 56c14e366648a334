import { sql } from 'kysely';
import { createAccount, hashPassword } from '@/lib/accounts/commands';
import { memberCookieName, sessionCookieName } from '@/lib/accounts/schema';
import { callAddress } from '@/lib/calls';
import { now } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import type { Server } from './servers';

/** What a browser's `cookie` and a program's `authorization` carry of somebody who is signed in. */
export type Login = { cookie: string; bearer: string };

/** Signs somebody in by the call, as a browser does; throws with the answer when it is refused. */
export async function signIn(origin: string, username: string, password: string): Promise<Login> {
  const response = await fetch(`${origin}${callAddress('POST /auth/token')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const text = await response.text();
  const cookie = response.headers
    .getSetCookie()
    .flatMap((line) => new RegExp(`^${sessionCookieName}=([^;]+)`).exec(line)?.[1] ?? [])[0];
  if (response.status !== 200 || cookie === undefined)
    throw new Error(`${username} was not signed in: ${response.status} ${text}`);
  return {
    cookie: `${sessionCookieName}=${cookie}; ${memberCookieName}=1`,
    bearer: `Bearer ${(JSON.parse(text) as { token: string }).token}`,
  };
}

const password = 'eleven amber benches';

/** Opens an account and signs it in through the server. */
export async function openAccount({ port }: Server): Promise<Login> {
  const username = 'bench-member';
  const id = await createAccount({ username, demo: false }, now());
  const passwordHash = await hashPassword(password);
  await sql`update account set email = 'bench@example.org', password_hash = ${passwordHash}, email_confirmed = true where id = ${id}`.execute(
    database(),
  );
  return signIn(`http://127.0.0.1:${port}`, username, password);
}
