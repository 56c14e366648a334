import { pagesCache } from '../components/state/worker-messages';

// The same name stands in runtime-caching.mjs, whose functions cannot share it.
const assetsCache = 'build-assets';

/** Ours (0021): how many visited pages are kept, the last ones. */
export const maxPages = 60;

// Whoever is signed in, searches, or arrives by a secret link, leaves no copy of it.
const neverKept =
  /^\/(?:api|_next|login|register|forgotten-password|unsubscribe|dashboard|admin|add-tips|affiliates|search|~offline)(?:\/|$)|\/(?:manage|earnings|autobets|add-post|edit|new)(?:\/|$)/;

/** True for the address of a page that everybody sees the same and that may be read again without a connection. */
export function isKeptAddress({ pathname, searchParams }: URL): boolean {
  return !neverKept.test(pathname) && !searchParams.has('q') && !/\.[a-z0-9]+$/i.test(pathname);
}

/** True for what a browser asks for before anybody wants to see it. */
export function isAhead({ headers }: Pick<Request, 'headers'>): boolean {
  const purpose = headers.get('sec-purpose') ?? headers.get('purpose') ?? '';
  return (
    purpose.includes('prefetch') || headers.has('next-router-prefetch') || headers.has('next-router-segment-prefetch')
  );
}

/** True for a whole page that the server gives to every guest: never one that it calls private or that it led to by a redirect. */
export function isGuestPage(response: Response): boolean {
  const isHtml = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  return (
    response.status === 200 &&
    !response.redirected &&
    isHtml &&
    !/\b(?:private|no-store)\b/.test(response.headers.get('cache-control') ?? '')
  );
}

/** The files of the build that a page names, in its tags or in what React reads, as paths; not what only browsers without modules ask for, which have no workers either. */
export function assetsNamedIn(html: string): string[] {
  const named =
    html
      .replace(/<script\b[^>]*\bnomodule\b[^>]*>/gi, '')
      .match(/(?:\/_next\/)?static\/(?:chunks|css|media)\/[\w./%()[\]@~-]+\.(?:js|css|woff2)/g) ?? [];
  return [...new Set(named.map((path) => (path.startsWith('/') ? path : `/_next/${path}`)))];
}

/** The address under which a page is kept: without its fragment and without what only says how one came, or asks for part of a page. */
export function addressToKeep(url: string): URL {
  const address = new URL(url);
  address.hash = '';
  for (const name of [...address.searchParams.keys()])
    if (/^(?:_rsc|utm_.*|ref-a|cachebust)$/.test(name)) address.searchParams.delete(name);
  return address;
}

/**
 * Keeps a visited page with all that it needs to be shown. An answer that is not for everybody is not kept:
 * the page is then asked for once more, as somebody whom the site does not know.
 */
export async function keepPage(url: string, answer?: Response): Promise<void> {
  const address = addressToKeep(url);
  if (!isKeptAddress(address) || (answer && answer.status !== 200)) return;
  const page = answer && isGuestPage(answer) ? answer : await fetchAsGuest(address);
  if (!page || !isGuestPage(page)) return;
  const text = page.clone().text();
  const cache = await caches.open(pagesCache);
  await cache.delete(address.href, { ignoreVary: true });
  await cache.put(address.href, page);
  const keys = await cache.keys();
  await Promise.all(
    keys.slice(0, Math.max(0, keys.length - maxPages)).map((key) => cache.delete(key, { ignoreVary: true })),
  );
  await keepAssets(assetsNamedIn(await text));
}

/** True when the page was kept less than the given time ago. */
export async function isKeptSince(url: string, sinceMilliseconds: number): Promise<boolean> {
  const cache = await caches.open(pagesCache);
  const kept = await cache.match(addressToKeep(url).href, { ignoreVary: true });
  return kept !== undefined && Date.parse(kept.headers.get('date') ?? '') > sinceMilliseconds;
}

async function fetchAsGuest(address: URL): Promise<Response | null> {
  return fetch(address.href, { credentials: 'omit', redirect: 'manual', headers: { accept: 'text/html' } }).catch(
    () => null,
  );
}

/** Keeps files of the build that are not kept yet. Their names change with their content, so what is kept is right for ever. */
export async function keepAssets(paths: readonly string[]): Promise<void> {
  const cache = await caches.open(assetsCache);
  await Promise.all(
    paths.map(async (path) =>
      (await cache.match(path, { ignoreVary: true })) ? undefined : cache.add(path).catch(() => undefined),
    ),
  );
}
