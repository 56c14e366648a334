import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { takeNotice } from '@/lib/memberships/commands';
import { noticeParamsSchema, noticeTakenSchema } from '@/lib/money/schema';

export const POST = handle(
  {
    summary: 'A notice of the provider of payments, signed by it: the payment that it is about is read again there',
    access: 'unidentified',
    params: noticeParamsSchema,
    headers: z.object({ 'stripe-signature': z.string().max(2_000).optional() }),
    takesFile: true,
    maxBytes: 256 * 1024,
    answers: noticeTakenSchema,
    limit: { hits: 6000, windowSeconds: 60 },
  },
  async ({ params, headers, bytes }) => {
    // The signature is of the bytes as they came.
    await takeNotice(
      params.provider,
      { 'stripe-signature': headers['stripe-signature'] ?? '' },
      Buffer.from(bytes).toString('utf8'),
    );
    return { received: true as const };
  },
);
