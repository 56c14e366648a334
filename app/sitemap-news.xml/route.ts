import { Download, downloadOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { env } from '@/lib/platform/env';
import { listSitemapNews, sitemapTtlSeconds } from '@/lib/search/queries';
import { writeNewsSitemap } from '@/lib/search/rules';

const mediaType = 'application/xml';

export const GET = handle(
  {
    summary: 'The sitemap of news: the articles of the last two days',
    access: 'unidentified',
    answers: downloadOf([mediaType]),
    keptSeconds: sitemapTtlSeconds,
  },
  async ({ now }) =>
    new Download(
      { name: 'sitemap-news.xml', mediaType, shownSeconds: sitemapTtlSeconds },
      writeNewsSitemap(await listSitemapNews(now), env().siteUrl),
    ),
);
