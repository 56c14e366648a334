import { z } from 'zod';
import { Download, downloadOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { Failure } from '@/lib/platform/errors';
import { readOEmbed } from '@/lib/pages/badge';

const mediaType = 'application/json';
const freshSeconds = 300;

const pixels = z
  .string('must be given once')
  .regex(/^\d{1,5}$/, 'must be a whole number of pixels')
  .transform(Number)
  .optional();

export const GET = handle(
  {
    summary: 'How an address of a portfolio is shown on another site (oembed.com), in JSON alone',
    access: 'unidentified',
    query: z.object({
      url: z.string('must be given once').max(500),
      format: z.literal('json', 'must be json, the one format there is').default('json'),
      maxwidth: pixels,
      maxheight: pixels,
    }),
    answers: downloadOf([mediaType]),
    limit: { hits: 240, windowSeconds: 60 },
  },
  async ({ query: { url, maxwidth, maxheight } }) => {
    const bounds = { ...(maxwidth !== undefined && { maxwidth }), ...(maxheight !== undefined && { maxheight }) };
    const embed = await readOEmbed(url, bounds);
    if (!embed) throw new Failure('missing', 'Only pages of portfolios of this site can be shown elsewhere.');
    return new Download({ name: 'oembed.json', mediaType, shownSeconds: freshSeconds }, JSON.stringify(embed));
  },
);
