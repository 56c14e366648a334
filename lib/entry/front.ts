import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { env } from '@/lib/platform/env';
import { Assets } from './assets';
import type { Handler } from './capture';
import { Documents, isDocumentRequest, isPlainPath, isPlainQuery, plainSpelling, withoutNul } from './documents';
import { bareContentSecurityPolicy, securityHeaders } from './security-headers';
import { visitorAddress } from './visitor-address';

const callMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** What stands before Next: kept pages, files and headers are its own, the rest is handed on. */
export class Front {
  readonly #handler: Handler;
  readonly #assets: Assets | null;
  readonly #headers = securityHeaders();
  readonly documents: Documents;

  constructor(handler: Handler, folder: string) {
    this.#handler = handler;
    this.documents = new Documents(handler);
    const built = path.join(folder, env().TIPLEDGER_BUILD);
    // The files of the development server change and come as it goes.
    this.#assets = env().NODE_ENV === 'development' ? null : new Assets({ built, shown: path.join(folder, 'public'), compressed: path.join(built, 'compressed') });
  }

  /** Answers a guest from the page cache, at once and before anything else is looked at; false when there is nothing to send. */
  answerKept(request: IncomingMessage, response: ServerResponse): boolean {
    return this.documents.pages.answerKept(request, response);
  }

  /** Answers any request. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#assets?.answer(request, response)) return;
    request.url = plainSpelling(request.url ?? '/');
    const [requested = '/', ...query] = request.url.split('?');
    request.headers['x-tipledger-address'] = visitorAddress(request, env().TIPLEDGER_PROXIES);
    delete request.headers['x-middleware-subrequest'];
    const isPlain = isPlainPath(requested);
    if (!(isPlain && isPlainQuery(query.join('?'))) && requested.startsWith('/api/')) return this.#refuse(response, 400, 'The address cannot be read. Correct it and send the request again.');
    // Writes go through the API alone; Next would answer another method with the page.
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead && !requested.startsWith('/api/')) return this.#refuse(response, 405, 'A page can only be read. Send GET, or use the calls under /api.', ['allow', 'GET, HEAD']);
    // The web's own Request, by which Next asks a call, cannot have some of the methods that Node reads, such as TRACE.
    if (!callMethods.includes(request.method ?? '')) return this.#refuse(response, 405, 'No call is made by this method. The description of each call, at /api/openapi.json, names its own.', ['allow', callMethods.join(', ')]);
    // Next would redirect some of these to another address and fail at others.
    request.url = isPlain ? withoutNul(request.url) : '/_not-found';
    if (!isPlain || isDocumentRequest(request)) return this.documents.answer(request, response);
    for (const [name, value] of this.#headers) response.setHeader(name, value);
    response.setHeader('content-security-policy', bareContentSecurityPolicy);
    return this.#handler(request, response);
  }

  #refuse(response: ServerResponse, status: number, message: string, more: readonly string[] = []): void {
    response.writeHead(status, [...this.#headers.flat(), ...more, 'content-security-policy', bareContentSecurityPolicy, 'content-type', 'application/json; charset=utf-8', 'cache-control', 'no-store']);
    response.end(JSON.stringify({ status, message }));
  }
}
