import { Download, downloadOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { env } from '@/lib/platform/env';
import { routes } from '@/lib/routes';
import { listSitemapNews, listSitemapParts, sitemapTtlSeconds } from '@/lib/search/queries';
import { writeSitemapIndex } from '@/lib/search/rules';

const mediaType = 'application/xml';

export const GET = handle(
  {
    summary: 'The index of the sitemap',
    access: 'unidentified',
    answers: downloadOf([mediaType]),
    keptSeconds: sitemapTtlSeconds,
  },
  async ({ now }) => {
    const parts = (await listSitemapParts(now)).map((part) => ({ ...part, address: routes.sitemapPart(part.name) }));
    const [latest] = await listSitemapNews(now);
    const news = latest && {
      name: 'news',
      address: routes.newsSitemap(),
      changedAt: `${latest.publishedOn}T00:00:00Z`,
    };
    return new Download(
      { name: 'sitemap.xml', mediaType, shownSeconds: sitemapTtlSeconds },
      // A sitemap of nothing is not one.
      writeSitemapIndex([...parts, ...(news ? [news] : [])], env().siteUrl),
    );
  },
);
