import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { wasTroubledSince } from '@/lib/platform/database-trouble';
import { env } from '@/lib/platform/env';
import { watchRefusals } from '@/lib/platform/refusals';
import { cachedAddress, type Wanted } from './cached-pages';
import { capture, type Captured, type Handler } from './capture';
import { collectMarkup } from './markup';
import { markingPolicy, newMark, withoutMark, withoutMarks } from './own-scripts';
import { islandScripts, withoutFramework } from './without-framework';
import { wordedPages } from './worded-pages';

/** A page as it is sent: what Next made, the scripts of it that may run, and of one that is the same for everybody the last event before it was made. */
export type Page = Captured & { hashes: readonly string[]; lastEventId?: string };

/** What a page that is made for one visitor may read of them: who they are, and from which of our pages they come. */
type Asker = { cookies?: ReadonlyMap<string, string>; referer?: string | null };

/** The media type of what was captured, with its charset; plain text where it says none. */
export const mediaTypeOf = ({ headers }: Captured) => String(headers['content-type'] ?? 'text/plain; charset=utf-8');

/** What `handler` answers; a failure while the database was in trouble, or because too much is being done, is one of the moment. */
async function captureInTrouble(handler: Handler, url: string, headers: IncomingMessage['headers']): Promise<Captured> {
  const began = performance.now();
  const { result: captured, wasRefused } = await watchRefusals(() => capture(handler, url, headers));
  const isOfTheMoment = wasRefused || wasTroubledSince(began);
  return captured.status === 500 && isOfTheMoment ? { ...captured, status: 503 } : captured;
}

/** True for a page that is the same for everybody, which has islands and no framework. */
const isPublic = (url: string) =>
  Object.values(wordedPages).includes(url) || cachedAddress(url, 'document')?.onlyMissing === false;

/** Makes pages, by asking `handler` with requests of its own. */
export class PageMaker {
  readonly #handler: Handler;
  readonly #scripts: readonly string[];
  readonly #lastEventId: (() => string) | null;

  /** `built` is the folder of the build, null where there is none because the site is being developed; `lastEventId` gives the id of the last event that streams were sent. */
  constructor(handler: Handler, built: string | null, lastEventId: (() => string) | null) {
    this.#handler = handler;
    this.#lastEventId = lastEventId;
    this.#scripts = built === null ? [] : islandScripts(built);
  }

  /** Makes a page or its data by a request of ours, in which nothing stands of the visitor but what `Asker` says. */
  async captureOwn(url: string, wanted: Wanted, { cookies = new Map(), referer = null }: Asker = {}): Promise<Page> {
    const own: IncomingHttpHeaders = {
      host: new URL(env().siteUrl).host,
      accept: wanted === 'data' ? '*/*' : 'text/html',
      ...(referer !== null && { referer }),
    };
    if (cookies.size > 0) own.cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (wanted === 'document') return this.capture(url, own);
    // The whole of the page, whatever part of another the reader has: one answer for all. Next wants to see by the parameter that it is told nothing more.
    return this.capture(`${url}${url.includes('?') ? '&' : '?'}_rsc=`, { ...own, rsc: '1' });
  }

  /** Makes what `handler` answers a request with these headers, with the scripts that may run named and the framework taken out of what is the same for everybody. */
  async capture(url: string, headers: IncomingHttpHeaders): Promise<Page> {
    const mark = newMark();
    const lastEventId = this.#lastEventId?.();
    const isBare = this.#scripts.length > 0 && isPublic(url);
    const ask = () =>
      captureInTrouble(this.#handler, url, { ...headers, 'content-security-policy': markingPolicy(mark) });
    const [path = '/'] = url.split('?', 1);
    const { made, fill } =
      isBare && headers.rsc === undefined
        ? collectMarkup({ path, mark }, ask)
        : { made: ask(), fill: (text: string) => text };
    const captured = await made;
    if (!mediaTypeOf(captured).startsWith('text/html')) return { ...captured, hashes: [] };
    // A character for each byte, which takes a fraction of the time: what is sought and put in is ASCII.
    const text = captured.body.toString('latin1');
    const { html, hashes } = withoutMarks(isBare ? withoutFramework(text, mark, this.#scripts) : text, mark);
    const { link } = captured.headers;
    return {
      ...captured,
      headers: {
        ...captured.headers,
        ...(link !== undefined && { link: [link].flat().map((each) => withoutMark(String(each), mark)) }),
      },
      body: Buffer.from(fill(html), 'latin1'),
      hashes,
      ...(isBare && lastEventId !== undefined && { lastEventId }),
    };
  }
}
