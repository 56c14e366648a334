import { z } from 'zod';
import { Download, downloadOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { feedTtlSeconds, feedType, writeFeed } from '@/lib/pages/feed-text';
import { feedTypes } from '@/lib/pages/feeds';

const file = z
  .string()
  .max(120)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*\.(xml|json)$/, 'must be the name of a feed, as articles.xml');

export const GET = handle(
  {
    summary: 'The articles, the tips of the day or the tips of a sport, as RSS or JSON Feed',
    access: 'unidentified',
    params: z.object({ file }),
    answers: downloadOf([feedTypes.rss, feedTypes.json]),
    keptSeconds: feedTtlSeconds,
  },
  async ({ params, now }) => {
    const [of = '', format] = params.file.split('.') as [string, 'xml' | 'json'];
    return new Download(
      { name: params.file, mediaType: feedType(format), shownSeconds: feedTtlSeconds },
      await writeFeed(of, format, now),
    );
  },
);
