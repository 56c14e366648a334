import { handle } from '@/lib/api/handle';
import { confirmFactor } from '@/lib/staff/commands';
import { factorCodeSchema, recoveryCodesSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'A code shows that the second factor works: it counts from now on, and ten recovery codes are given',
    access: 'staff-entry',
    body: factorCodeSchema,
    alsoRefuses: [423],
    answers: recoveryCodesSchema,
    limit: { hits: 20, windowSeconds: 300 },
  },
  ({ viewer, body }) => confirmFactor(viewer, body.code),
);
