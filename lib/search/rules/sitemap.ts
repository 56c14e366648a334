import { addressAt } from '@/lib/calls';
import { escapedXml } from '@/lib/format';
import { routes } from '@/lib/routes';
import type { SitemapEntry, SitemapNews, SitemapPart } from '../schema/sitemap';

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const schemas = 'http://www.sitemaps.org/schemas/sitemap/0.9';

const lastmod = (changedAt: string | null) =>
  changedAt === null ? '' : `<lastmod>${changedAt.replace(/\.\d+Z$/, 'Z')}</lastmod>`;

/** A sitemap of these addresses, a piece for each batch, as sitemaps.org wants it. */
export async function* writeSitemap(
  batches: AsyncIterable<readonly SitemapEntry[]>,
  siteUrl: string,
): AsyncGenerator<string> {
  yield `${head}<urlset xmlns="${schemas}">\n`;
  for await (const batch of batches)
    yield batch
      .map(({ path, changedAt }) => `<url><loc>${escapedXml(`${siteUrl}${path}`)}</loc>${lastmod(changedAt)}</url>\n`)
      .join('');
  yield '</urlset>\n';
}

/** The index of the sitemap: the files under their addresses. */
export function writeSitemapIndex(parts: readonly (SitemapPart & { address: string })[], siteUrl: string): string {
  const files = parts.map(
    ({ address, changedAt }) =>
      `<sitemap><loc>${escapedXml(`${siteUrl}${address}`)}</loc>${lastmod(changedAt)}</sitemap>\n`,
  );
  return `${head}<sitemapindex xmlns="${schemas}">\n${files.join('')}</sitemapindex>\n`;
}

/** The sitemap of news, as Google's extension of the protocol wants it. */
export function writeNewsSitemap(news: readonly SitemapNews[], siteUrl: string): string {
  const articles = news.map(
    ({ path, title, publishedOn }) =>
      `<url><loc>${escapedXml(`${siteUrl}${path}`)}</loc><news:news><news:publication><news:name>Tipledger</news:name><news:language>en</news:language></news:publication>` +
      `<news:publication_date>${publishedOn}</news:publication_date><news:title>${escapedXml(title)}</news:title></news:news></url>\n`,
  );
  return `${head}<urlset xmlns="${schemas}" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">\n${articles.join('')}</urlset>\n`;
}

// What is answered there is for programs, or asks whoever comes to sign in.
const closed = [addressAt('/'), routes.dashboard(), routes.admin()];
// Pictures that pages show and name to search engines.
const open = [addressAt('/images/'), addressAt('/share/')];

/** What robots may read. Pages that are in no index say so themselves, so they may be read. */
export function writeRobots(siteUrl: string, sitemap: string): string {
  const rules = [...open.map((path) => `Allow: ${path}`), ...closed.map((path) => `Disallow: ${path}`)];
  return `User-agent: *\n${rules.join('\n')}\n\nSitemap: ${siteUrl}${sitemap}\n`;
}
