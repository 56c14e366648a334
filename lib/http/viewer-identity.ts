import type { Viewer } from '@/lib/access/schema';
import { findMemberByCookie, findMemberBySession, type KnownMember } from '@/lib/accounts/queries';
import { sessionCookieName } from '@/lib/accounts/schema';
import { Failure } from '@/lib/platform/errors';
import { readAccessToken } from '@/lib/platform/tokens';
import { guest, member } from './viewer';

const viewerOf = ({ countryId, ...membership }: KnownMember): Viewer => member(membership, countryId);

/** Who sends a request, by its bearer: a guest without one. Failure 'unauthorised' for a token that is not good (any more), so that the client refreshes it. */
export async function viewerOfRequest(request: Request, now: Date): Promise<Viewer> {
  const authorization = request.headers.get('authorization');
  if (authorization === null) return guest();
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization.trim())?.[1];
  const claims = token === undefined ? null : await readAccessToken(token, now);
  const known = claims && (await findMemberBySession({ id: claims.sessionId, accountId: claims.accountId }, now));
  if (!known)
    throw new Failure('unauthorised', 'The access token is not valid or has expired: refresh it, or sign in again.');
  return viewerOf(known);
}

/** Who a session cookie stands for; a guest without one, and for one that holds no more. */
export async function viewerOfCookie(cookie: string | null, now: Date): Promise<Viewer> {
  const known = cookie === null || cookie === '' ? null : await findMemberByCookie(cookie, now);
  return known ? viewerOf(known) : guest();
}

/** The value of the session cookie in a request's header, null without one. */
export function sessionCookieOf(request: Request): string | null {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${sessionCookieName}=`))?.slice(sessionCookieName.length + 1);
  return found && /^[\w-]{1,100}$/.test(found) ? found : null;
}
