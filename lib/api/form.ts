import { safeRedirect } from '@/lib/access/rules';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import type { Answer } from './answer';
import { flashCookie, noFlashCookie } from '@/lib/http/form-flash';

/** What a form sent, and the parameters of its address, as texts. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** How a call answers a form that a browser sends without script, which shows a page next. */
export type FormDoor = {
  /** The page of the form, shown again when the form is refused. */
  page: (fields: Fields) => string;
  /** The page after the form was taken; an address of another site is not followed. */
  next: (fields: Fields) => string;
};

const secretFields = new Set(['password', 'newPassword', 'token', 'accessToken', 'refreshToken', 'code', 'guid']);

const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Refuses what another site sent in the name of its visitor; Failure 'forbidden'. Its origin has to be that of the settings, whatever
 * host the request names, or this machine where the browser says that the page is of the same origin. A mail program sends no origin at all.
 */
export function refuseForeign(request: Request): void {
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  const isSiteOurs = site === null || site === 'same-origin' || site === 'none';
  const isOriginOurs =
    origin === null || origin === new URL(env().siteUrl).origin || (site === 'same-origin' && loopback.test(origin));
  if (!isSiteOurs || !isOriginOurs)
    throw new Failure(
      'forbidden',
      'This form came from another site. Open the page on this site and send it from there.',
    );
}

function see(path: string, cookies: readonly string[]): Answer {
  const headers: Answer['headers'] = [
    ['location', safeRedirect(path) ?? '/'],
    ['cache-control', 'no-store'],
    ...cookies.map((cookie) => ['set-cookie', cookie] as const),
  ];
  return { status: 303, headers, body: null };
}

/** The answer to a browser's form that was taken: the next page. */
export function formTaken({ next }: FormDoor, fields: Fields, cookies: readonly string[]): Answer {
  return see(next(fields), [...cookies, noFlashCookie()]);
}

/** The answer to a browser's form that was refused, which its page asks for by the path of the call under /api: its page again, with what is wrong and what was typed, secrets excepted. */
export function formRefused(
  { page }: FormDoor,
  call: string,
  fields: Fields,
  { message, fields: wrong }: Pick<Failure, 'message' | 'fields'>,
): Answer {
  const values = Object.fromEntries(
    Object.entries(fields).filter(
      (pair): pair is [string, string] => pair[1] !== undefined && !secretFields.has(pair[0]),
    ),
  );
  return see(page(fields), [flashCookie({ call, message, fields: wrong, values })]);
}
