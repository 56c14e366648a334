import { z } from 'zod';
import { embeddedOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { Embedded } from '@/lib/api/own-answer';
import { badgePicturePolicy, badgeTtlSeconds, drawBadge } from '@/lib/pages/badge';
import { portfolioReferenceSchema } from '@/lib/portfolios/schema';

const mediaType = 'image/svg+xml';

export const GET = handle(
  {
    summary: 'The record of a portfolio as it is now, as a picture for pages of other sites',
    access: 'unidentified',
    params: z.object({ portfolioReference: portfolioReferenceSchema }),
    answers: embeddedOf(mediaType),
    keptSeconds: badgeTtlSeconds,
  },
  async ({ params, now }) =>
    new Embedded(mediaType, await drawBadge(params.portfolioReference, now), badgePicturePolicy),
);
