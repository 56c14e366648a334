export { type SearchKind, searchKindNames, searchKinds, searchLimits } from './kinds';
export { type SearchAnswer, searchAnswerSchema, type SearchGroup, type SearchHit, searchQuerySchema } from './search';
export { sitemapPartQuerySchema } from './sitemap';
