import { z } from 'zod';
import { embeddedOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { Embedded } from '@/lib/api/own-answer';
import { badgePolicy, badgeTtlSeconds, writeBadgePage } from '@/lib/pages/badge';
import { portfolioReferenceSchema } from '@/lib/portfolios/schema';

const mediaType = 'text/html';

export const GET = handle(
  {
    summary: 'The record of a portfolio as it is now, as a page for frames on other sites',
    access: 'unidentified',
    params: z.object({ portfolioReference: portfolioReferenceSchema }),
    answers: embeddedOf(mediaType),
    keptSeconds: badgeTtlSeconds,
  },
  async ({ params, now }) => new Embedded(mediaType, await writeBadgePage(params.portfolioReference, now), badgePolicy),
);
