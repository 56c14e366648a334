import { done, doneSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { proveFactor } from '@/lib/staff/commands';
import { factorCodeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Staff show their second factor, by a code of the authenticator or a recovery code',
    access: 'staff-entry',
    body: factorCodeSchema,
    alsoRefuses: [423],
    answers: doneSchema,
    limit: { hits: 20, windowSeconds: 300 },
  },
  async ({ viewer, body }) => {
    await proveFactor(viewer, body.code);
    return done;
  },
);
