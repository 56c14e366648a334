import { accountLimits, formCookieName, type IssuedSession, sessionCookieName } from '@/lib/accounts/schema';
import { env } from '@/lib/platform/env';

/** An answer that also sets cookies: the view as any other, and the lines of Set-Cookie. */
export class Reply<V> {
  constructor(
    readonly view: V,
    readonly cookies: readonly string[],
  ) {}
}

function cookieLine(name: string, value: string, maxAgeSeconds: number): string {
  const secure = env().siteUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** Product §3: sets the cookie by which pages know the viewer, for as long as the login holds unused. */
export function sessionCookie({ cookie }: Pick<IssuedSession, 'cookie'>): string {
  return cookieLine(sessionCookieName, cookie, accountLimits.refreshTokenSeconds);
}

/** Takes the session cookie away. */
export function noSessionCookie(): string {
  return cookieLine(sessionCookieName, '', 0);
}

/** What a refused form said: of which call, the message, the fields concerned, and what was typed into those that are no secret. */
export type FormFlash = {
  call: string;
  message: string;
  fields: Record<string, string>;
  values: Record<string, string>;
};

const flashSeconds = 120;
// A browser keeps no cookie of more than 4,096 bytes.
const longestFlash = 3_500;

/** Sets the cookie that carries what a refused form said to its page; what was typed is left out when it does not fit. */
export function flashCookie(flash: FormFlash): string {
  const write = (given: FormFlash) => Buffer.from(JSON.stringify(given)).toString('base64url');
  const whole = write(flash);
  return cookieLine(
    formCookieName,
    whole.length <= longestFlash ? whole : write({ ...flash, fields: {}, values: {} }),
    flashSeconds,
  );
}

/** Takes the cookie of a refused form away. */
export function noFlashCookie(): string {
  return cookieLine(formCookieName, '', 0);
}

/** What a refused form of this call said, from the value of its cookie; null for none, another call's and what is no such value. */
export function readFlashCookie(value: string | undefined, call: string): Omit<FormFlash, 'call'> | null {
  if (!value || value.length > longestFlash) return null;
  try {
    const given = JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as Partial<FormFlash>;
    if (given.call !== call || typeof given.message !== 'string') return null;
    return { message: given.message, fields: textsOf(given.fields), values: textsOf(given.values) };
  } catch {
    return null;
  }
}

function textsOf(given: unknown): Record<string, string> {
  if (typeof given !== 'object' || given === null) return {};
  return Object.fromEntries(
    Object.entries(given).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}
