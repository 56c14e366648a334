import { formCookieName } from '@/lib/accounts/schema';
import { cookieLine } from './cookie-line';

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

/** What a refused form of one of these calls said, from the value of its cookie; null for none, another call's and what is no such value. */
export function readFlashCookie(value: string | undefined, calls: readonly string[]): Omit<FormFlash, 'call'> | null {
  if (!value || value.length > longestFlash) return null;
  try {
    const given = JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as Partial<FormFlash>;
    if (!calls.includes(given.call ?? '') || typeof given.message !== 'string') return null;
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
