import { z } from 'zod';

/** An address in a sitemap: its path, and when what stands there last changed (ISO 8601, UTC), null where nothing tells. */
export type SitemapEntry = { path: string; changedAt: string | null };

/** A file of the sitemap: its name, and when something in it last changed (ISO 8601, UTC), null where nothing tells. */
export type SitemapPart = { name: string; changedAt: string | null };

/** An article of the last two days, as the sitemap of news names it. */
export type SitemapNews = { path: string; title: string; publishedOn: string };

/** What a part of the sitemap is asked for by: its name, as the index gives it. */
export const sitemapPartQuerySchema = z.object({
  of: z.string('must be given once').regex(/^[a-z]{1,20}-[1-9]\d{0,5}$/, 'must be the name of a part, as fixtures-1'),
});

/** The protocol's bound (sitemaps.org): addresses in one file. */
export const mostInSitemap = 50_000;
