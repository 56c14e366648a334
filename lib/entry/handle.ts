import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Access, Viewer } from '@/lib/access/schema';
import { now as present } from '@/lib/platform/clock';
import { Failure, isFailure } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { takeHit } from '@/lib/platform/rate-limit';
import { Download, streamText } from './download';
import { guest } from './viewer';

/** What a call says of itself: enough to check a request, to answer it and to describe it in OpenAPI. */
export type Declaration<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType> = {
  summary: string;
  access: Access;
  params?: P;
  query?: Q;
  body?: B;
  answers: A;
  /** Hits that one address may make in a window; without it the call is not limited. */
  limit?: { hits: number; windowSeconds: number };
};

/** A declaration without the types of its parts, as the OpenAPI document reads it. */
export type AnyDeclaration = Declaration<z.ZodType, z.ZodType, z.ZodType, z.ZodType>;

type Context = { params: Promise<Record<string, string | string[]>> };

/** A route handler of Next that carries its declaration. */
export type Call = ((request: Request, context: Context) => Promise<Response>) & { declaration: AnyDeclaration };

type Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  viewer: Viewer;
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
  now: Date;
};

/** Ours: the largest request body that a call reads, in bytes. */
export const maxBodyBytes = 64 * 1024;

type Nothing = z.ZodObject<Record<never, never>>;

/**
 * Makes the door of one API call: identifies the viewer, parses what comes in, limits the rate, runs, and answers with JSON,
 * or with a file where the call answers with a Download.
 * A ZodError becomes 400 with the fields concerned, a Failure its own status, anything else is logged and answers a bare 500.
 */
export function handle<A extends z.ZodType, P extends z.ZodType = Nothing, Q extends z.ZodType = Nothing, B extends z.ZodType = Nothing>(
  declaration: Declaration<P, Q, B, A>,
  run: (input: Input<P, Q, B>) => Promise<z.input<A>>,
): Call {
  const call = async (request: Request, context: Context): Promise<Response> => {
    try {
      const now = present();
      const viewer = guest();
      if (declaration.limit) await checkRate(request, declaration.limit, now);
      const params = parse(declaration.params, await context.params, 'path');
      const query = parse(declaration.query, queryOf(request), 'query');
      const body = declaration.body ? parse(declaration.body, await bodyOf(request), 'body') : undefined;
      const view: unknown = await run({ viewer, params: params as z.output<P>, query: query as z.output<Q>, body: body as z.output<B>, now });
      return view instanceof Download ? send(request, view) : answer(request, view);
    } catch (error) {
      return refuse(request, error);
    }
  };
  return Object.assign(call, { declaration: declaration as unknown as AnyDeclaration });
}

function parse(schema: z.ZodType | undefined, value: unknown, place: string): unknown {
  if (!schema) return {};
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || place] ??= issue.message;
  const [name, message] = Object.entries(fields)[0] ?? [place, 'is not valid'];
  throw new Failure('invalid', `The request is not valid. ${name}: ${message}. Correct it and send it again.`, fields);
}

function queryOf(request: Request): Record<string, string | string[]> {
  const { searchParams } = new URL(request.url);
  const values: [string, string | string[]][] = [...new Set(searchParams.keys())].map((key) => {
    const all = searchParams.getAll(key);
    return [key, all.length === 1 ? (all[0] ?? '') : all];
  });
  return Object.fromEntries(values);
}

async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new Failure('invalid', 'Send the body as JSON, with the header Content-Type: application/json.');
  const declared = Number(request.headers.get('content-length') ?? 0);
  const text = declared > maxBodyBytes ? null : await readAtMost(request, maxBodyBytes);
  if (text === null) throw new Failure('invalid', `The body is too large: ${maxBodyBytes} bytes at most.`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('invalid', 'The body is not valid JSON. Correct it and send it again.');
  }
}

async function readAtMost(request: Request, limit: number): Promise<string | null> {
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > limit) return null;
      chunks.push(chunk);
    }
  } catch {
    throw new Failure('invalid', 'The body broke off before its end. Send the request again.');
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function checkRate(request: Request, limit: { hits: number; windowSeconds: number }, now: Date): Promise<void> {
  const address = request.headers.get('x-tipledger-address') ?? 'unknown';
  const allowed = await takeHit(`${new URL(request.url).pathname}:${address}`, limit, now);
  if (!allowed) throw new Failure('too-many', 'Too many requests. Wait a minute, then try again.');
}

function answer(request: Request, view: unknown): Response {
  const text = JSON.stringify(view);
  if (request.method !== 'GET' && request.method !== 'HEAD') return json(text, 200, { 'cache-control': 'no-store' });
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  const headers = { etag: tag, 'cache-control': 'public, max-age=0, must-revalidate' };
  const known = request.headers.get('if-none-match')?.split(',').some((value) => ['*', tag].includes(value.trim().replace(/^W\//, '')));
  return known ? new Response(null, { status: 304, headers }) : json(text, 200, headers);
}

function send(request: Request, { file, text }: Download): Response {
  const headers = { 'content-type': `${file.mediaType}; charset=utf-8`, 'content-disposition': `attachment; filename="${file.name}"`, 'cache-control': 'no-store' };
  return new Response(request.method === 'HEAD' ? null : streamText(text, (error) => report(request, error)), { headers });
}

function report(request: Request, error: unknown): void {
  log.error({ event: 'server_error', status: 500, method: request.method, path: new URL(request.url).pathname, err: error });
}

function refuse(request: Request, error: unknown): Response {
  if (isFailure(error)) {
    const body = { status: error.status, message: error.message, ...(Object.keys(error.fields).length ? { fields: error.fields } : {}), ...error.details };
    return json(JSON.stringify(body), error.status, { 'cache-control': 'no-store', ...(error.status === 429 ? { 'retry-after': '60' } : {}) });
  }
  report(request, error);
  return json(JSON.stringify({ status: 500, message: 'Internal Server Error' }), 500, { 'cache-control': 'no-store' });
}

function json(text: string, status: number, headers: Record<string, string>): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers } });
}
