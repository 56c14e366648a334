import { handle } from '@/lib/api/handle';
import { orderName } from '@/lib/fixtures/commands';
import { nameOrderSchema, nameParamsSchema } from '@/lib/fixtures/schema';
import { staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Says who is meant by a name that a feed uses, when what waited for it goes in, or takes that back',
    access: 'staff',
    params: nameParamsSchema,
    body: nameOrderSchema,
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body }) => orderName(viewer, Number(params.name), body),
);
