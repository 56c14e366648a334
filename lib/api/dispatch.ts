import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dispatch } from '@/lib/http/capture';
import { Patterns } from '@/lib/http/patterns';
import { refuse, refuseBusy } from '@/lib/http/refusal';
import { networkOf } from '@/lib/platform/rate-limit';
import type { Answer } from './answer';
import { isEmbedded } from './download';
import type { Call } from './handle';
import { BearerAnswers } from './bearer-answers';
import { isAnonymous, keptAnswers } from './kept-answers';

type Methods = Readonly<Record<string, Call>>;

/**
 * Answers requests for the calls of a table, by their paths, as Next would through the same route handlers: HEAD by GET, OPTIONS by the
 * methods that there are. A slash at the end leads to the address without it, save where the table names the call with it: such a one is answered
 * by both. It leaves other addresses to whoever comes next, save those under /api, of which there are no more.
 */
export function dispatcher(table: Readonly<Record<string, Partial<Methods>>>): Dispatch {
  const calls = new Patterns(
    Object.entries(table).map(([path, methods]) => {
      const found = Object.entries(methods).filter(([, call]) => typeof call === 'function') as [string, Call][];
      return [path, new Map(found)] as const;
    }),
  );
  const kept = keptAnswers(calls);
  const own = new BearerAnswers();
  return {
    has: (path) => calls.find(path) !== null,
    answerKept: (request, response) =>
      isAnonymous(request) ? kept.answerKept(request, response) : own.answerKept(request, response),
    answer: (request, response) => {
      const { method = 'GET', url = '/' } = request;
      const address = new URL(url, 'http://localhost');
      const { pathname, search } = address;
      const isCall = pathname.startsWith('/api/');
      const found = calls.find(pathname);
      if (isCall && pathname.endsWith('/') && !found?.name.endsWith('/'))
        return end(response, 308, [['location', `${pathname.slice(0, -1)}${search}`]]);
      if (found === null) return isCall ? refuseMissing(response) : null;
      const methods = found.value;
      const call = methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined);
      if (call) return answer(call, request, response, { address, params: found.params, kept, own });
      const allow = allowedBy([...methods.keys()]);
      if (method === 'OPTIONS') return end(response, 204, [['allow', allow]]);
      refuse(response, 405, `${method} is not allowed here. Use ${allow}.`, {
        call: true,
        more: [['allow', allow]],
      });
      return done;
    },
  };
}

type Asked = {
  address: URL;
  params: Record<string, string | string[]>;
  kept: ReturnType<typeof keptAnswers>;
  own: BearerAnswers;
};

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';

const done = Promise.resolve();

const allowedBy = (methods: readonly string[]) =>
  [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ');

function end(response: ServerResponse, status: number, headers: Answer['headers']): Promise<void> {
  const size = status === 204 ? [] : ['content-length', '0'];
  response.writeHead(status, [...headers.flat(), ...size]);
  response.end();
  return done;
}

function refuseMissing(response: ServerResponse): Promise<void> {
  refuse(response, 404, 'There is no such call. See /api/openapi.json for the list.', {
    call: true,
  });
  return done;
}

async function answer(
  call: Call,
  request: IncomingMessage,
  response: ServerResponse,
  { address, params, kept, own }: Asked,
): Promise<void> {
  const { keptSeconds, keptForBearer, answers } = call.declaration;
  // What is kept is sent with headers of its own, which can add to those that are set and take none away.
  if (isEmbedded(answers)) response.removeHeader('x-frame-options');
  if (keptSeconds !== undefined && isAnonymous(request) && isRead(request)) {
    // 0059: whoever asks for much waits in a line of their own.
    const visitor = networkOf(String(request.headers['x-tipledger-address'] ?? 'unknown'));
    try {
      if (await kept.answer(request, response, { visitor, wanted: 'document', isMember: false })) return;
    } catch (error) {
      return refuseBusy(response, error, { call: true });
    }
  }
  const run = () => call.answer(requestOf(request, address), params);
  await send(await (keptForBearer && !isAnonymous(request) ? own.answerOf(request, run) : run()), response);
}

function requestOf(request: IncomingMessage, address: URL): Request {
  const { method = 'GET' } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    for (const each of [value ?? []].flat()) headers.append(name, each);
  const body = method === 'GET' || method === 'HEAD' ? {} : { body: bodyOf(request), duplex: 'half' };
  return new Request(address, { method, headers, ...body });
}

/** The body as it comes. Who reads no further leaves the connection as it is, for the answer. */
function bodyOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = request.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done: isOver, value } = (await chunks.next()) as IteratorResult<Buffer>;
        if (isOver) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void chunks.return?.(),
    },
    { highWaterMark: 0 },
  );
}

async function send({ status, headers, body }: Answer, response: ServerResponse): Promise<void> {
  const isWhole = body === null || typeof body === 'string' || body instanceof Uint8Array;
  const isSized = !isWhole || status === 304 || headers.some(([name]) => name === 'content-length');
  // The head of a file that is not made has no size.
  const isHead = body === null && response.req.method === 'HEAD';
  const size: Answer['headers'] = isSized || isHead ? [] : [['content-length', String(Buffer.byteLength(body ?? ''))]];
  response.statusCode = status;
  for (const [name, value] of [...headers, ...size]) {
    // A header that was set already is replaced; of cookies there may be several.
    if (value === '') response.removeHeader(name);
    else if (name === 'set-cookie') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  if (isWhole) {
    response.end(body ?? undefined);
    return;
  }
  response.flushHeaders();
  // A reader who lets go ends the making too; a making that fails breaks the answer off, and was logged where it failed.
  await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response).catch(() => undefined);
}
