import { accountLimits, memberCookieName, sessionCookieName, type IssuedSession } from '@/lib/accounts/schema';
import { cookieLine } from '@/lib/http/cookie-line';

/** An answer that also sets cookies: the view as any other, and the lines of Set-Cookie. */
export class Reply<V> {
  constructor(
    readonly view: V,
    readonly cookies: readonly string[],
  ) {}
}

const sessionCookiesFor = (cookie: string, seconds: number) => [
  cookieLine(sessionCookieName, cookie, seconds),
  cookieLine(memberCookieName, cookie === '' ? '' : '1', seconds, { scripts: true }),
];

/** Product §3: sets the cookie by which pages know the viewer, for as long as the login holds unused, and the one that tells scripts of it. */
export function sessionCookies({ cookie }: Pick<IssuedSession, 'cookie'>): string[] {
  return sessionCookiesFor(cookie, accountLimits.refreshTokenSeconds);
}

/** Takes the cookies of a session away. */
export function noSessionCookies(): string[] {
  return sessionCookiesFor('', 0);
}
