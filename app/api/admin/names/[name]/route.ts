import { handle } from '@/lib/api/handle';
import { orderName } from '@/lib/fixtures/commands';
import { nameOrderSchema, nameParamsSchema } from '@/lib/fixtures/schema';
import { hastenSettlement } from '@/lib/rulings/commands';
import { staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Says who is meant by a name that a feed uses, when what waited for it goes in, or takes that back',
    access: 'staff',
    params: nameParamsSchema,
    body: nameOrderSchema,
    answers: staffOutcomeSchema,
  },
  async ({ viewer, params, body, now }) => {
    const { decided, ...outcome } = await orderName(viewer, Number(params.name), body);
    await hastenSettlement(decided, now);
    return outcome;
  },
);
