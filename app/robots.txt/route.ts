import { Download, downloadOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { env } from '@/lib/platform/env';
import { routes } from '@/lib/routes';
import { writeRobots } from '@/lib/search/rules';

const mediaType = 'text/plain';
const freshSeconds = 3600;

export const GET = handle(
  {
    summary: 'What robots may read',
    access: 'unidentified',
    answers: downloadOf([mediaType]),
    keptSeconds: freshSeconds,
  },
  async () =>
    new Download(
      { name: 'robots.txt', mediaType, shownSeconds: freshSeconds },
      writeRobots(env().siteUrl, routes.sitemap()),
    ),
);
