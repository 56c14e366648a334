import 'server-only';
export { search } from './search';
export { listSitemapNews, listSitemapParts, readSitemapPart, sitemapTtlSeconds } from './sitemap';
