import { accountLimits, type IssuedSession, sessionCookieName } from '@/lib/accounts/schema';
import { cookieLine } from '@/lib/http/cookie-line';

/** An answer that also sets cookies: the view as any other, and the lines of Set-Cookie. */
export class Reply<V> {
  constructor(
    readonly view: V,
    readonly cookies: readonly string[],
  ) {}
}

/** Product §3: sets the cookie by which pages know the viewer, for as long as the login holds unused. */
export function sessionCookie({ cookie }: Pick<IssuedSession, 'cookie'>): string {
  return cookieLine(sessionCookieName, cookie, accountLimits.refreshTokenSeconds);
}

/** Takes the session cookie away. */
export function noSessionCookie(): string {
  return cookieLine(sessionCookieName, '', 0);
}
