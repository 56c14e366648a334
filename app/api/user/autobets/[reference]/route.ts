import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { removeAutobetRule, setAutobetRule } from '@/lib/bets/commands';
import { autobetRuleInputSchema, autobetRuleViewSchema } from '@/lib/bets/schema';
import { optionalIdempotencyHeadersSchema } from '@/lib/reference/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const PUT = handle(
  {
    summary: 'Set the rule by which a tipster’s tips are recorded as one’s own bets; no bet is placed with a bookmaker',
    access: 'confirmed',
    params: portfolioParamsSchema,
    headers: optionalIdempotencyHeadersSchema,
    body: autobetRuleInputSchema,
    answers: autobetRuleViewSchema,
  },
  ({ viewer, params, body, headers, now }) =>
    setAutobetRule(viewer, params.reference, body, now, headers['idempotency-key']),
);

export const DELETE = handle(
  {
    summary: 'Remove a rule; the bets that it recorded stay',
    access: 'confirmed',
    whileSuspended: true,
    params: portfolioParamsSchema,
    headers: optionalIdempotencyHeadersSchema,
    answers: z.strictObject({}),
  },
  async ({ viewer, params, headers }) => {
    await removeAutobetRule(viewer, params.reference, headers['idempotency-key']);
    return {};
  },
);
