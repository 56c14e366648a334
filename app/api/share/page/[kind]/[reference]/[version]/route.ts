import { z } from 'zod';
import { FixedFile, fixedFileOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { Elsewhere } from '@/lib/api/own-answer';
import { cardImage, cardReferenceSchema, cardVersion, readCard } from '@/lib/pages/share-cards';
import { drawCard } from '@/lib/pages/share-image';

const freshSeconds = 60;

export const GET = handle(
  {
    summary:
      'The picture of a page for sharing, 1200 by 630 pixels, with what everybody may know of it; the version in its address, which the page names, is another once it says something else; any other version leads to that one',
    access: 'unidentified',
    params: z.object({
      kind: z.string().regex(/^[a-z]+(-[a-z]+)*$/, 'must be a kind of page that has a picture'),
      reference: cardReferenceSchema,
      version: z.string().regex(/^[0-9a-f]{12}$/, 'must be the version that the page names'),
    }),
    answers: fixedFileOf(['image/png']),
    limit: { hits: 120, windowSeconds: 60 },
  },
  async ({ params: { kind, reference, version }, now }) => {
    const card = await readCard(kind, reference, now);
    // One of before, or that nobody made: nothing is drawn for it, and nothing kept under it.
    if (version !== cardVersion(card)) return new Elsewhere(cardImage(kind, reference, card).address, freshSeconds);
    return new FixedFile({ name: `tipledger-${kind}.png`, mediaType: 'image/png' }, await drawCard(card));
  },
);
