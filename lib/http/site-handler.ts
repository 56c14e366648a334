import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { env } from '@/lib/platform/env';
import { isPlainPath, isPlainQuery, isTooDeep, plainSpelling, withFewParameters, withoutNul } from './address';
import { Assets } from './assets';
import type { Dispatch, Handler } from './capture';
import { Documents, wantedOfPage } from './documents';
import { refuse } from './refusal';
import { bareContentSecurityPolicy, securityHeaders } from './security-headers';
import { visitorAddress } from './visitor-address';
import { missingPagePath } from './worded-pages';

// RFC 8058: a mail program posts to the very address whose page a person is shown.
const postedUnsubscribe = /^\/unsubscribe\/[^/?]+(?=\/?(?:\?|$))/;

const callMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

// By these Next is told what it should know by itself, or asked for what no client of ours asks for.
const steering =
  /^(?:next-|rsc$|x-next|x-middleware-|x-invoke-|x-matched-path$|x-now-|x-vercel-|x-action-|x-prerender-|x-forwarded-|content-security-policy|forwarded$|x-request-id$)/;

/** What stands before Next: kept pages, files and headers are its own, the rest is handed on. */
export class SiteHandler {
  readonly #handler: Handler;
  readonly #dispatch: Dispatch | null;
  readonly #assets: Assets | null;
  readonly #headers = securityHeaders();
  readonly #isDevelopment: boolean;
  readonly #proxies: number;
  readonly #host: string;
  readonly documents: Documents;

  /** `dispatch` answers the calls; where there is none Next does. `lastEventId` gives the id of the last event that streams were sent. */
  constructor(
    handler: Handler,
    folder: string,
    { dispatch = null, lastEventId = null }: { dispatch?: Dispatch | null; lastEventId?: (() => string) | null } = {},
  ) {
    const { NODE_ENV, TIPLEDGER_PROXIES, siteUrl } = env();
    this.#handler = handler;
    this.#dispatch = dispatch;
    this.#isDevelopment = NODE_ENV === 'development';
    this.#proxies = TIPLEDGER_PROXIES;
    this.#host = new URL(siteUrl).host;
    const built = path.join(folder, env().TIPLEDGER_BUILD);
    this.documents = new Documents(handler, this.#isDevelopment ? null : built, lastEventId);
    // The files of the development server change and come as it goes.
    this.#assets = this.#isDevelopment
      ? null
      : new Assets({ built, shown: path.join(folder, 'public'), compressed: path.join(built, 'compressed') });
  }

  /** Answers from the page cache, at once and before anything else is looked at; false when there is nothing to send. */
  answerKept(request: IncomingMessage, response: ServerResponse): boolean {
    return (
      this.documents.pages.answerKept(request, response) || (this.#dispatch?.answerKept(request, response) ?? false)
    );
  }

  /** Answers any request. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#assets?.answer(request, response)) return;
    request.url = plainSpelling(request.url ?? '/');
    if (request.method === 'POST' && postedUnsubscribe.test(request.url)) request.url = `/api${request.url}`;
    const [requested = '/', ...query] = request.url.split('?');
    const isCall = requested.startsWith('/api/');
    const visitor = visitorAddress(request, this.#proxies);
    const isPlain = isPlainPath(requested);
    const isKnown = isPlain && (isCall || !isTooDeep(requested));
    if (!(isPlain && isPlainQuery(query.join('?'))) && isCall)
      return refuse(response, 400, 'The address cannot be read. Correct it and send the request again.', {
        call: true,
      });
    // Writes go through the API alone; Next would answer another method with the page.
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead && !isCall)
      return refuse(response, 405, 'A page can only be read. Send GET, or use the calls under /api.', {
        call: true,
        more: [['allow', 'GET, HEAD']],
      });
    // The web's own Request, by which Next asks a call, cannot have some of the methods that Node reads, such as TRACE.
    if (!callMethods.includes(request.method ?? ''))
      return refuse(
        response,
        405,
        'No call is made by this method. The description of each call, at /api/openapi.json, names its own.',
        { call: true, more: [['allow', callMethods.join(', ')]] },
      );
    // Whatever of the build there is, is a file: nothing there is made for a request, and no picture is drawn anew.
    if (!this.#isDevelopment && requested.startsWith('/_next/')) return refuse(response, 404, 'There is no such file.');
    // Next would redirect some of these to another address, fail at others, and be long about those of many segments.
    request.url = isKnown ? withFewParameters(withoutNul(request.url)) : missingPagePath;
    const isFile = isKnown && this.#dispatch?.has(requested) === true;
    const wanted = isFile ? null : isKnown ? wantedOfPage(request) : 'document';
    if (wanted !== null) return this.documents.answer(request, response, { visitor, wanted });
    this.#tell(request, visitor);
    for (const [name, value] of this.#headers) response.setHeader(name, value);
    response.setHeader('content-security-policy', bareContentSecurityPolicy);
    return this.#dispatch?.answer(request, response) ?? this.#handler(request, response);
  }

  /** Leaves in a request what its call may believe. */
  #tell({ headers }: IncomingMessage, visitor: string): void {
    for (const name in headers) if (steering.test(name)) delete headers[name];
    headers['x-tipledger-address'] = visitor;
    if (!this.#isDevelopment) headers.host = this.#host;
  }
}
