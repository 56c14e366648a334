import { z } from 'zod';
import { calls } from '@/app/api/calls';
import * as openApi from '@/app/api/openapi.json/route';
import { downloadTypesOf } from '@/lib/api/download';
import type { Call } from '@/lib/api/handle';
import type { Method } from '@/lib/calls';
import { decidedAt } from '@/lib/platform/moment';
import { ownHelpLineSchema } from '@/lib/reference/schema';
import { movedPriceSchema } from '@/lib/tips/schema';

/** What a test sends. `query` is the text after the question mark, or values that are encoded; a body that is neither text nor bytes is sent as JSON. */
export type Sent = {
  params?: Record<string, string | string[]>;
  query?: string | Record<string, string | number | readonly string[]>;
  body?: unknown;
  headers?: Record<string, string>;
};

/** An answer that was held against what the call declares: `view` of a 200 or 201 that is no file, `refusal` of any other that has a body. */
export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  view: unknown;
  refusal: z.infer<typeof refusalSchema> | null;
};

const refusalSchema = z.strictObject({
  status: z.int(),
  message: z.string().min(1),
  fields: z.record(z.string(), z.string().min(1)).optional(),
  moved: z.array(movedPriceSchema).min(1).optional(),
  // Product §9: what is refused while one takes a break.
  pausedUntil: z.iso.datetime().optional(),
  help: ownHelpLineSchema.shape.help.optional(),
  // Spec §3: what a refused login carries.
  outcome: z.int().optional(),
  token: z.null().optional(),
  refreshToken: z.null().optional(),
  role: z.null().optional(),
});

/** Every call by its path, the description of the API among them. */
export const doors: Readonly<Record<string, Partial<Record<Method, Call>>>> = { ...calls, '/openapi.json': openApi };

type Doors = typeof calls & { '/openapi.json': typeof openApi };

/** The address of a call: its path with parameters and query filled in. */
export function addressOf(path: string, { params = {}, query = '' }: Pick<Sent, 'params' | 'query'>): string {
  const filled = path.replace(/\{(?:\.{3})?(\w+)\}/g, (_, name: string) =>
    [params[name] ?? '']
      .flat()
      .map((part) => encodeURIComponent(Buffer.from(part).toString()))
      .join('/'),
  );
  if (typeof query === 'string') return `http://localhost/api${filled}${query && `?${query}`}`;
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)]));
  return `http://localhost/api${filled}?${new URLSearchParams(pairs)}`;
}

const encode = (body: unknown): BodyInit =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream
    ? (body as BodyInit)
    : JSON.stringify(body);

/** Knocks at a call as Next does, and holds the answer against the call's declaration. */
export async function request(
  call: Call,
  path: string,
  { params = {}, query, body, headers = {} }: Sent = {},
  method: Method | 'HEAD' = 'GET',
): Promise<Answer> {
  const sent =
    body === undefined
      ? {}
      : { body: encode(body), duplex: 'half', headers: { 'content-type': 'application/json', ...headers } };
  const asked = new Request(addressOf(path, { params, ...(query === undefined ? {} : { query }) }), {
    method,
    headers,
    ...sent,
  });
  // The database is of the same time as the program: where a test holds the clock, of that.
  const response = await decidedAt(
    () => new Date(),
    () => call(asked, { params: Promise.resolve(params) }),
  );
  const text = await response.text();
  const answer = { status: response.status, headers: response.headers, text, view: null, refusal: null };
  if (response.status === 304) return answer;
  const files = downloadTypesOf(call.declaration.answers);
  if (files && response.status === 200) {
    const isFixed = call.declaration.answers.meta()?.fixed === true;
    expect(files.map((mediaType) => (isFixed ? mediaType : `${mediaType}; charset=utf-8`))).toContain(
      response.headers.get('content-type'),
    );
    expect(response.headers.get('content-disposition')).toMatch(
      isFixed ? /^inline; filename="[a-z0-9.-]+"$/ : /^attachment; filename="[a-z0-9.-]+"$/,
    );
    return answer;
  }
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const json: unknown = JSON.parse(text);
  if (response.status !== (call.declaration.creates ? 201 : 200)) {
    const refusal = refusalSchema.parse(json);
    expect(refusal.status).toBe(response.status);
    return { ...answer, refusal };
  }
  // A schema strips what it does not declare: were there more in the answer, the two would differ.
  const view = call.declaration.answers.parse(json);
  expect(view).toEqual(json);
  return { ...answer, view };
}

/** Sends something to the call that is described. */
export type Ask = (sent?: Sent, method?: Method | 'HEAD') => Promise<Answer>;

/** The path of a call, as the table has it. */
export function pathOf(call: Call): string {
  const [path = ''] = Object.entries(doors).find(([, methods]) => Object.values(methods).includes(call)) ?? [];
  return path;
}

/** The tests of one call; tests/api/coverage.test.ts finds by this line which calls are tested. */
export function describeCall<P extends keyof Doors, M extends keyof Doors[P] & Method>(
  path: P,
  method: M,
  tests: (ask: Ask, call: Call) => void,
): void {
  const call = doors[path]?.[method];
  if (!call) throw new Error(`There is no call ${method} ${path}; the table of calls is app/api/calls.ts.`);
  describe(`${method} ${path}`, () => tests((sent, as = method) => request(call, path, sent, as), call));
}

/** Texts that somebody who means harm, or nothing in particular, puts where a reference or a word is asked for. */
export const hostileTexts: readonly [string, string][] = [
  ['nothing', ''],
  ['a blank', ' '],
  ['capitals', 'Rovers-V-Town'],
  ['a NUL', 'rovers\u0000town'],
  ['control characters', 'rovers\r\nset-cookie: a=b'],
  ['a right-to-left mark', 'rovers\u202Etown'],
  ['letters of another script', 'ρόβερς-v-таун'],
  ['an emoji', 'rovers-⚽'],
  ['half a surrogate pair', 'rovers\uD800'],
  ['SQL', "x'; drop table fixture; --"],
  ['SQL wildcards', '%_%'],
  ['a path upwards', '../../etc/passwd'],
  ['an encoded path upwards', '..%2f..%2fetc%2fpasswd'],
  ['a key of every object', '__proto__'],
  ['markup', '<script>alert(1)</script>'],
  ['a double hyphen', 'rovers--town'],
  ['a hyphen at the end', 'rovers-'],
  ['more than 200 characters', 'a'.repeat(201)],
  ['a hundred thousand characters', 'a-'.repeat(50_000)],
];

/** Texts in the place of a whole number that are none that a call takes. */
export const hostileNumbers: readonly [string, string][] = [
  ['nothing', ''],
  ['a blank', ' '],
  ['a word', 'football'],
  ['a negative number', '-1'],
  ['a signed number', '+1'],
  ['a fraction', '1.5'],
  ['an exponent', '1e0'],
  ['a hexadecimal number', '0x1'],
  ['digits of another script', '١'],
  ['a number with a NUL', '1\u0000'],
  ['a number with a line break', '1\n'],
  ['infinity', 'Infinity'],
  ['no number', 'NaN'],
  ['a number too long to hold', '9'.repeat(400)],
  ['an object', '{"$gt":0}'],
  ['SQL', '1 or 1=1'],
];
