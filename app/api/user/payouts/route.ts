import { handle } from '@/lib/api/handle';
import { choosePayouts } from '@/lib/money/commands';
import { getPayoutChoice } from '@/lib/money/queries';
import { payoutChoiceSchema } from '@/lib/money/schema';
import { optionalIdempotencyHeadersSchema } from '@/lib/reference/schema';

export const GET = handle(
  {
    summary: 'Whether what is payable to the member is requested by itself each month',
    access: 'confirmed',
    answers: payoutChoiceSchema,
  },
  ({ viewer }) => getPayoutChoice(viewer),
);

export const PUT = handle(
  {
    summary: 'Have what is payable to the member requested by itself each month, or no more',
    access: 'confirmed',
    headers: optionalIdempotencyHeadersSchema,
    body: payoutChoiceSchema,
    answers: payoutChoiceSchema,
    limit: { hits: 20, windowSeconds: 60 },
  },
  ({ viewer, body, headers }) => choosePayouts(viewer, body, headers['idempotency-key']),
);
