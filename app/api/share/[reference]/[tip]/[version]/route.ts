import { z } from 'zod';
import { FixedFile, fixedFileOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { Elsewhere } from '@/lib/api/own-answer';
import { cardVersion, shareAddress, tipCard } from '@/lib/pages/share-cards';
import { drawCard } from '@/lib/pages/share-image';
import { guest } from '@/lib/http/viewer';
import { portfolioReferenceSchema } from '@/lib/portfolios/schema';
import { getTip } from '@/lib/tips/queries';
import { tipReferenceSchema } from '@/lib/tips/schema';

const freshSeconds = 60;

export const GET = handle(
  {
    summary:
      'The picture of a tip for sharing, 1200 by 630 pixels, with what everybody may know of it; the version in its address, which the page of the tip names, is another once it says something else; any other version leads to that one',
    access: 'unidentified',
    params: z.object({
      reference: portfolioReferenceSchema,
      tip: tipReferenceSchema,
      version: z.string().regex(/^[0-9a-f]{12}$/, 'must be the version that the page of the tip names'),
    }),
    answers: fixedFileOf(['image/png']),
    limit: { hits: 120, windowSeconds: 60 },
  },
  async ({ params: { reference, tip, version }, now }) => {
    const view = await getTip(guest(), reference, tip, now);
    const card = tipCard(view);
    // One of before, or that nobody made: nothing is drawn for it, and nothing kept under it.
    if (version !== cardVersion(card)) return new Elsewhere(shareAddress(view), freshSeconds);
    return new FixedFile({ name: `tipledger-tip-${tip}.png`, mediaType: 'image/png' }, await drawCard(card));
  },
);
