import { pagesCache } from './worker-messages';

/** A page on this device: its address within the site, its title, and when it was visited (ISO), where that is known. */
export type KeptPage = { href: string; title: string; visited: string | null };

/** The pages that the service worker keeps, the last visited first; none where the browser keeps nothing. */
export async function listKeptPages(): Promise<KeptPage[]> {
  if (typeof caches === 'undefined' || !(await caches.has(pagesCache))) return [];
  const cache = await caches.open(pagesCache);
  const keys = await cache.keys();
  const pages = await Promise.all(
    keys.map(async (key) => {
      const page = await cache.match(key, { ignoreVary: true });
      return page ? describe(new URL(key.url), page) : null;
    }),
  );
  return pages.filter((page) => page !== null).reverse();
}

async function describe({ pathname, search }: URL, page: Response): Promise<KeptPage> {
  const [head = ''] = (await page.text()).split('</title>');
  const title = new DOMParser().parseFromString(`${head}</title>`, 'text/html').title.replace(/ · Tipledger$/, '');
  const visited = Date.parse(page.headers.get('date') ?? '');
  return {
    href: `${pathname}${search}`,
    title: title || pathname,
    visited: Number.isNaN(visited) ? null : new Date(visited).toISOString(),
  };
}
