import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { singleton } from '@/lib/platform/singleton';
import { namesOf } from './route-names';

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
type Followed = { id: string; url: string; began: number; cache: CacheUse };

// Kept on the response and the socket themselves, so that no request needs entries in WeakMaps.
const followed = Symbol('followed');
const written = Symbol('written');
type FollowedResponse = ServerResponse & { [followed]?: Followed };
type CountedSocket = Socket & { [written]?: number };

/** The header that carries the id of a request, both ways. */
export const requestIdHeader = 'x-request-id';

/** The id of the request that this answers; undefined where nothing follows it. */
export function requestIdOf(response: ServerResponse): string | undefined {
  return (response as FollowedResponse)[followed]?.id;
}

/** Tells of the end of every request of this process, whoever answered it; returns what ends that. */
export function onRequestEnd(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Notes how the cache served a response, for whoever hears of its end. */
export function noteCacheUse(response: ServerResponse, use: CacheUse): void {
  const own = (response as FollowedResponse)[followed];
  if (own) own.cache = use;
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
  follow(request: IncomingMessage, response: FollowedResponse): string {
    const id = idOf(request, this.#isBehindProxy);
    const own: Followed = { id, url: request.url ?? '/', began: performance.now(), cache: 'none' };
    response[followed] = own;
    response.on('close', () => this.#end(request, response, own));
    return id;
  }

  #end(request: IncomingMessage, response: ServerResponse, { id, url, began, cache }: Followed): void {
    const { method = 'GET' } = request;
    const socket: CountedSocket = request.socket;
    const { bytesWritten } = socket;
    const bytes = bytesWritten - (socket[written] ?? 0);
    socket[written] = bytesWritten;
    if (listeners.size === 0 && !this.#isLogged) return;
    const query = url.indexOf('?');
    const { path, route } = namesOf(query < 0 ? url : url.slice(0, query));
    const milliseconds = Math.round((performance.now() - began) * 1000) / 1000;
    const end: RequestEnd = {
      id,
      method,
      path,
      route,
      status: response.statusCode,
      milliseconds,
      bytes,
      cache,
      complete: response.writableFinished,
    };
    if (this.#isLogged)
      log.info({
        event: 'request',
        requestId: id,
        method,
        path,
        status: end.status,
        ms: milliseconds,
        bytes,
        cache,
        complete: end.complete,
      });
    for (const listener of listeners) listener(request, end);
  }
}
