import { Download, downloadOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { env } from '@/lib/platform/env';
import { readSitemapPart, sitemapTtlSeconds } from '@/lib/search/queries';
import { writeSitemap } from '@/lib/search/rules';
import { sitemapPartQuerySchema } from '@/lib/search/schema';

const mediaType = 'application/xml';

export const GET = handle(
  {
    summary: 'A part of the sitemap, as its index names it',
    access: 'unidentified',
    query: sitemapPartQuerySchema,
    answers: downloadOf([mediaType]),
    limit: { hits: 240, windowSeconds: 600 },
  },
  async ({ query: { of }, now }) =>
    new Download(
      { name: `sitemap-${of}.xml`, mediaType, shownSeconds: sitemapTtlSeconds },
      writeSitemap(await readSitemapPart(of, now), env().siteUrl),
    ),
);
