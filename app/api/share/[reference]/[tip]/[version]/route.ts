import { z } from 'zod';
import { FixedFile, fixedFileOf } from '@/lib/entry/download';
import { handle } from '@/lib/entry/handle';
import { drawTip } from '@/lib/entry/share-image';
import { guest } from '@/lib/entry/viewer';
import { portfolioReferenceSchema } from '@/lib/portfolios/schema';
import { getTip } from '@/lib/tips/queries';
import { tipReferenceSchema } from '@/lib/tips/schema';

export const GET = handle(
  {
    summary: 'The picture of a tip for sharing, 1200 by 630 pixels, with what everybody may know of it; the version in its address, which the page of the tip names, is another once it says something else',
    access: 'unidentified',
    params: z.object({ reference: portfolioReferenceSchema, tip: tipReferenceSchema, version: z.string().regex(/^[0-9a-f]{12}$/, 'must be the version that the page of the tip names') }),
    answers: fixedFileOf(['image/png']),
    limit: { hits: 120, windowSeconds: 60 },
  },
  async ({ params: { reference, tip }, now }) => new FixedFile({ name: `tipledger-tip-${tip}.png`, mediaType: 'image/png' }, await drawTip(await getTip(guest(), reference, tip, now))),
);
