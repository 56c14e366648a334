import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { whyNotAllowed, whyNotWriting } from '@/lib/access/rules';
import type { Access, Viewer } from '@/lib/access/schema';
import type { Caller } from '@/lib/accounts/schema';
import { now as present } from '@/lib/platform/clock';
import { withPatience } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { type Answer, json, responseOf } from './answer';
import { failureOf, refusalOf, report } from './failure';
import { beginSending, Download, streamText } from './download';
import { bodySeconds, interpretBody, isBrowserForm, isForm, readBytes } from './body';
import type { AnyDeclaration, Declaration } from './declaration';
import { type Fields, formRefused, formTaken, refuseForeign } from './form';
import { countCall, limitOf } from './limits';
import { Reply } from './reply';
import { refuseUnkeepable } from './text';
import { OwnAnswer } from './own-answer';
import { routeNameOf } from '@/lib/http/route-names';
import { guest } from '@/lib/http/viewer';
import { sessionCookieOf, viewerOfRequest } from '@/lib/http/viewer-identity';

type Params = Record<string, string | string[]>;

type Context = { params: Promise<Params> };

/** What a call takes, before it is parsed, and what it answers. */
export type CallTypes = { params: unknown; query: unknown; headers: unknown; body: unknown; answer: unknown };

/** A route handler of Next that carries its declaration, its types for whoever calls it, and what it answers to who asks without Next. */
export type Call<T extends CallTypes = CallTypes> = ((request: Request, context: Context) => Promise<Response>) & {
  declaration: AnyDeclaration;
  types?: T;
  answer: (request: Request, params: Params) => Promise<Answer>;
};

type Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, H extends z.ZodType> = {
  viewer: Viewer;
  params: z.output<P>;
  query: z.output<Q>;
  headers: z.output<H>;
  body: z.output<B>;
  /** The body of a call that takes a file; else empty. */
  bytes: Uint8Array;
  now: Date;
  caller: Caller;
  /** True for a form that a browser sent without script. */
  form: boolean;
};

// So long a write waits for a database that is being restarted.
const patienceSeconds = 5;

/** Ours: the largest request body that a call reads, in bytes. */
export const maxBodyBytes = 64 * 1024;

/** Ours (0062): how long an answer is kept that changes by the clock as well, in seconds, as a fixture that begins. */
export const clockSeconds = 5;

type Nothing = z.ZodObject<Record<never, never>>;

/**
 * Makes the door of one API call: limits the rate, reads the body within bounds of bytes and time, and only then takes the moment by which it
 * identifies the viewer, by the bearer, never by the cookie alone; parses what came in, runs, and answers with JSON, or with a file where the call answers with a Download, with what an OwnAnswer makes, or with the next page where a browser sent a form.
 * A ZodError becomes 400 with the fields concerned, a Failure its own status, a database that does not answer 503, anything else is logged and answers a bare 500.
 */
export function handle<
  A extends z.ZodType,
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
  H extends z.ZodType = Nothing,
  F extends true | undefined = undefined,
>(
  declaration: Declaration<P, Q, B, A, H, F>,
  run: (input: Input<P, Q, B, H>) => Promise<z.input<A> | Reply<z.input<A>>>,
): Call<{
  params: z.input<P>;
  query: z.input<Q>;
  headers: z.input<H>;
  body: F extends true ? Blob : z.input<B>;
  answer: z.output<A>;
}> {
  const answerTo = async (request: Request, given: Params): Promise<Answer> => {
    const door = declaration.form && isBrowserForm(request) ? declaration.form : null;
    let fields: Fields = {};
    try {
      if (declaration.byCookie || (declaration.form && isForm(request))) refuseForeign(request);
      if (!request.headers.has('authorization')) refuse(guest(), declaration.access);
      const limit = limitOf(request.method, declaration);
      if (limit) await countCall(`${countedMethod(request)} ${routeOf(request)}`, addressOf(request), limit, present());
      const bytes = await bytesOf(request, declaration as unknown as AnyDeclaration);
      // From here on: a moment before the body was here decides nothing (0042).
      const now = present();
      const viewer = declaration.access === 'unidentified' ? guest() : await viewerOfRequest(request, now);
      refuse(viewer, declaration.access);
      if (request.method !== 'GET' && request.method !== 'HEAD' && !declaration.whileSuspended) refuseSuspended(viewer);
      const sent = partsOf(request, given, bytes, declaration as unknown as AnyDeclaration);
      fields = fieldsOf(sent);
      const params = parse(declaration.params, sent.params, 'path');
      const query = parse(declaration.query, sent.query, 'query');
      const headers = parse(declaration.headers, declaration.headers && Object.fromEntries(request.headers), 'headers');
      const body = declaration.body ? parse(declaration.body, sent.body, 'body', declaration.leavesOut) : undefined;
      const file = declaration.takesFile ? bytes : new Uint8Array();
      const input = {
        viewer,
        params: params as z.output<P>,
        query: query as z.output<Q>,
        headers: headers as z.output<H>,
        body: body as z.output<B>,
        bytes: file,
        now,
        caller: callerOf(request),
        form: isForm(request),
      };
      const result: unknown = await withPatience(patienceSeconds, () => run(input));
      if (result instanceof Download) return send(request, result);
      if (result instanceof OwnAnswer) return result.answer(request);
      const { view, cookies } = result instanceof Reply ? result : { view: result, cookies: [] };
      if (door) return formTaken(door, fields, cookies);
      const kept =
        declaration.access === 'unidentified' ? 'nobody' : viewer.kind === 'member' ? 'the member' : 'everybody';
      return withCookies(declaration.creates ? created(view) : answer(request, view, kept), cookies);
    } catch (error) {
      return door
        ? formRefused(door, routeOf(request).replace('/api', ''), fields, failureOf(request, error))
        : refusalOf(request, error, declaration.refused);
    }
  };
  const call = async (request: Request, { params }: Context) => responseOf(await answerTo(request, await params));
  return Object.assign(call, { declaration: declaration as unknown as AnyDeclaration, answer: answerTo });
}

type Parts = { params: unknown; query: Record<string, string | string[]>; body: unknown };

function refuse(viewer: Viewer, access: Access): void {
  const why = whyNotAllowed(viewer, access);
  if (why) throw new Failure(why.kind, why.message);
}

function refuseSuspended(viewer: Viewer): void {
  const why = whyNotWriting(viewer);
  if (why) throw new Failure(why.kind, why.message);
}

async function bytesOf(
  request: Request,
  { body, takesFile, maxBytes = maxBodyBytes }: AnyDeclaration,
): Promise<Uint8Array> {
  if (!body && !takesFile) return new Uint8Array();
  return readBytes(request, { maxBytes, withinSeconds: takesFile ? bodySeconds.file : bodySeconds.text });
}

function partsOf(request: Request, params: Params, bytes: Uint8Array, { body, form }: AnyDeclaration): Parts {
  const optional = body?.safeParse(undefined).success ?? false;
  return {
    params,
    query: queryOf(request),
    body: body && interpretBody(request, bytes, { forms: form !== undefined, optional }),
  };
}

function fieldsOf({ params, query, body }: Parts): Fields {
  const all = { ...(params as object), ...query, ...(typeof body === 'object' ? body : {}) };
  return Object.fromEntries(
    Object.entries(all).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

const routeOf = (request: Request) => routeNameOf(new URL(request.url).pathname);

// A HEAD is answered as its GET is.
const countedMethod = ({ method }: Request) => (method === 'HEAD' ? 'GET' : method);

const addressOf = (request: Request) => request.headers.get('x-tipledger-address') ?? 'unknown';

function callerOf(request: Request): Caller {
  return {
    address: addressOf(request),
    device: request.headers.get('user-agent') ?? '',
    cookie: sessionCookieOf(request),
  };
}

function parse(schema: z.ZodType | undefined, value: unknown, place: string, leavesOut = false): unknown {
  if (!schema) return {};
  const parsed = schema.safeParse(value);
  if (parsed.success) {
    refuseUnkeepable(leavesOut ? parsed.data : value, place);
    return parsed.data;
  }
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || place] ??= issue.message;
  const [name, message] = Object.entries(fields)[0] ?? [place, 'is not valid'];
  throw new Failure(
    'invalid',
    `The request is not valid. ${name}: ${message.replace(/\.$/, '')}. Correct it and send it again.`,
    fields,
  );
}

// In one pass: to look for the values of each name would be to read the whole query for each.
function queryOf(request: Request): Record<string, string | string[]> {
  const values = new Map<string, string | string[]>();
  for (const [key, value] of new URL(request.url).searchParams) {
    const before = values.get(key);
    if (Array.isArray(before)) before.push(value);
    else values.set(key, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(values);
}

function answer(request: Request, view: unknown, keptBy: 'nobody' | 'the member' | 'everybody'): Answer {
  const text = JSON.stringify(view);
  if (keptBy === 'the member') return json(text, 200, { 'cache-control': 'private, no-store' });
  if (keptBy === 'nobody' || (request.method !== 'GET' && request.method !== 'HEAD'))
    return json(text, 200, { 'cache-control': 'no-store' });
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  const headers = { etag: tag, 'cache-control': 'public, max-age=0, must-revalidate' };
  const known = request.headers
    .get('if-none-match')
    ?.split(',')
    .some((value) => ['*', tag].includes(value.trim().replace(/^W\//, '')));
  return known ? { status: 304, headers: Object.entries(headers), body: null } : json(text, 200, headers);
}

function created(view: unknown): Answer {
  return json(JSON.stringify(view), 201, { 'cache-control': 'no-store' });
}

function withCookies(answered: Answer, cookies: readonly string[]): Answer {
  return { ...answered, headers: [...answered.headers, ...cookies.map((cookie) => ['set-cookie', cookie] as const)] };
}

function send(request: Request, { file, text }: Download): Answer {
  const headers = Object.entries({
    'content-type': `${file.mediaType}; charset=utf-8`,
    'content-disposition': `${file.shownSeconds === undefined ? 'attachment' : 'inline'}; filename="${file.name}"`,
    'cache-control': file.shownSeconds === undefined ? 'no-store' : `public, max-age=${file.shownSeconds}`,
  });
  if (request.method === 'HEAD') return { status: 200, headers, body: null };
  if (typeof text === 'string') return { status: 200, headers, body: text };
  const end = beginSending(addressOf(request));
  const body = streamText(text, (failure) => {
    end();
    if (failure) report(request, failure.error);
  });
  return { status: 200, headers, body };
}
