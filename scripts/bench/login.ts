import { memberCookieName, sessionCookieName } from '@/lib/accounts/schema';
import { callAddress } from '@/lib/calls';

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
