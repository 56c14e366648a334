import { redirects } from '@/lib/redirects';
import { routeTable } from '@/lib/route-table';

/** A schema of JSON as far as a value can be made to fit it. */
export type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  pattern?: string;
  format?: string;
  minimum?: number;
  minLength?: number;
};

/** An address with its inputs: a page by the route table, or a call by the description of the program itself. */
export type Target = {
  kind: 'page' | 'call';
  method: string;
  path: string;
  query: readonly string[];
  headers: readonly string[];
  body: Schema | null;
};

type Described = {
  paths: Record<
    string,
    Record<
      string,
      { parameters?: { name: string; in: string }[]; requestBody?: { content: Record<string, { schema: Schema }> } }
    >
  >;
};

// What pages read beside what the kept ones do, and what addresses carry anyway.
const furtherParameters = [
  'redirect_to',
  'redirect_after_verify',
  'guid',
  'email',
  'code',
  'q',
  'of',
  'url',
  'maxwidth',
  'page',
  'skip',
  'tab',
  'sportId',
  'days',
  'utm_source',
  '_rsc',
  'nxtPreference',
  '__nextDataReq',
];
const others = [
  '/portfolio/{reference}/ledger',
  '/robots.txt',
  '/sitemap.xml',
  '/sitemap-part.xml',
  '/sitemap-news.xml',
  '/feeds/{file}',
  '/feeds/tipster/{file}',
  '/calendars/{file}',
  '/calendars/league/{file}',
  '/oembed',
  '/tipster/{portfolioReference}/badge',
  '/tipster/{portfolioReference}/badge.svg',
  '/outbox',
  '/gallery',
  '/~offline',
  '/~error',
  '/_not-found',
  '/_next/image',
  '/_next/data/x/index.json',
  '/_next/static/{file}',
  '/sw.js',
  '/healthz',
  '/readyz',
  '/metrics',
  '/{anything}',
  '/{anything}/{more}',
  '/api/{anything}',
  '/api',
  '/.well-known/{file}',
  '/.env',
  '/server.ts',
];

/** Every page of the site and what leads to one. */
function pages(): Target[] {
  const read = new Map(routeTable.map(({ path, kept }) => [path, kept]));
  const paths = [...new Set([...routeTable.map(({ path }) => path), ...redirects.map(({ from }) => from), ...others])];
  return paths.map((path) => ({
    kind: 'page',
    method: 'GET',
    path,
    query: [...(read.get(path) ?? []), ...furtherParameters],
    headers: [],
    body: null,
  }));
}

/** Every page, and every call that the program at this address says it has. */
export async function readTargets(origin: string): Promise<{ pages: Target[]; calls: Target[] }> {
  const response = await fetch(`${origin}/api/openapi.json`);
  const { paths } = (await response.json()) as Described;
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]): Target => {
      const named = (place: string) => parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
      return {
        kind: 'call',
        method: method.toUpperCase(),
        path: path.startsWith('/api') ? path : `/api${path}`,
        query: named('query'),
        headers: named('header'),
        body: Object.values(requestBody?.content ?? {})[0]?.schema ?? null,
      };
    }),
  );
  return { pages: pages(), calls };
}

const hrefs = /href="(\/[^"#?]*)/g;

/** The addresses that the site links to, so that what is asked for is there some of the time. */
export async function readAddresses(origin: string): Promise<string[]> {
  const found = new Set<string>();
  for (const path of ['/', '/football', '/tipster', '/fixture', '/ledger', '/articles']) {
    const text = await (await fetch(`${origin}${path}`)).text();
    for (const [, address = ''] of text.matchAll(hrefs))
      if (!address.startsWith('/_next') && !address.startsWith('//')) found.add(address);
  }
  return [...found];
}
