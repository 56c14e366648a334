import { handle } from '@/lib/api/handle';
import { allowMailAgain } from '@/lib/notifications/commands';
import { bounceParamsSchema, liftOrderSchema } from '@/lib/notifications/schema';
import { staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Staff allow news by mail to an address again',
    access: 'staff',
    params: bounceParamsSchema,
    body: liftOrderSchema,
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body: { reason, preview } }) => allowMailAgain(viewer, Number(params.bounce), { reason, preview }),
);
