import { handle } from '@/lib/api/handle';
import { orderFeed } from '@/lib/fixtures/commands';
import { feedOrderSchema, feedParamsSchema } from '@/lib/fixtures/schema';
import { staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Changes how a feed runs by itself, or has it run now',
    access: 'staff',
    params: feedParamsSchema,
    body: feedOrderSchema,
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body }) => orderFeed(viewer, params.feed, body),
);
