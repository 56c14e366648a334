import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { singleton } from '@/lib/platform/singleton';
import { pathWithoutSecrets, routeNameOf } from './route-names';

/** Whether an answer was kept: sent from what is kept, made now and kept, or none of those that are. */
export type CacheUse = 'hit' | 'miss' | 'none';

/** How a request ended. `path` has no query and no secret; `route` is the pattern of the page or call; `complete` is false where the reader let go before the end. */
export type RequestEnd = {
  id: string;
  method: string;
  path: string;
  route: string;
  status: number;
  milliseconds: number;
  bytes: number;
  cache: CacheUse;
  complete: boolean;
};

type Listener = (request: IncomingMessage, end: RequestEnd) => void;

const listeners = singleton('request-end', () => new Set<Listener>());
const cacheUses = new WeakMap<ServerResponse, CacheUse>();
const written = new WeakMap<Socket, number>();
const ids = new WeakMap<ServerResponse, string>();

/** The header that carries the id of a request, both ways. */
export const requestIdHeader = 'x-request-id';

/** The id of the request that this answers; undefined where nothing follows it. */
export function requestIdOf(response: ServerResponse): string | undefined {
  return ids.get(response);
}

/** Tells of the end of every request of this process, whoever answered it; returns what ends that. */
export function onRequestEnd(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Notes how the cache served a response, for whoever hears of its end. */
export function noteCacheUse(response: ServerResponse, use: CacheUse): void {
  cacheUses.set(response, use);
}

const plainId = /^[\w.:-]{8,100}$/;

/** The id of a request: the one that a proxy of ours gave it, else a new one. */
function idOf({ headers }: IncomingMessage, isBehindProxy: boolean): string {
  const given = headers[requestIdHeader];
  return isBehindProxy && typeof given === 'string' && plainId.test(given) ? given : randomUUID();
}

/** Gives each request its id, and tells the listeners how it ended. */
export class RequestFollower {
  readonly #isBehindProxy: boolean;
  readonly #isLogged: boolean;

  constructor({ TIPLEDGER_PROXIES, ACCESS_LOG }: Pick<Env, 'TIPLEDGER_PROXIES' | 'ACCESS_LOG'>) {
    this.#isBehindProxy = TIPLEDGER_PROXIES > 0;
    this.#isLogged = ACCESS_LOG === 'on';
  }

  /** Follows a request from now on, before anything answers it; the id, which is still to be set on the response. */
  follow(request: IncomingMessage, response: ServerResponse): string {
    const began = performance.now();
    const id = idOf(request, this.#isBehindProxy);
    const { url = '/' } = request;
    ids.set(response, id);
    response.once('close', () => this.#end(request, response, { id, url, began }));
    return id;
  }

  #end(
    request: IncomingMessage,
    response: ServerResponse,
    { id, url, began }: { id: string; url: string; began: number },
  ): void {
    const { method = 'GET', socket } = request;
    const { bytesWritten } = socket;
    const bytes = bytesWritten - (written.get(socket) ?? 0);
    written.set(socket, bytesWritten);
    if (listeners.size === 0 && !this.#isLogged) return;
    const [address = '/'] = url.split('?', 1);
    const milliseconds = Math.round((performance.now() - began) * 1000) / 1000;
    const end: RequestEnd = {
      id,
      method,
      path: pathWithoutSecrets(address),
      route: routeNameOf(address),
      status: response.statusCode,
      milliseconds,
      bytes,
      cache: cacheUses.get(response) ?? 'none',
      complete: response.writableFinished,
    };
    if (this.#isLogged)
      log.info({
        event: 'request',
        requestId: id,
        method,
        path: end.path,
        status: end.status,
        ms: milliseconds,
        bytes,
        cache: end.cache,
        complete: end.complete,
      });
    for (const listener of listeners) listener(request, end);
  }
}
