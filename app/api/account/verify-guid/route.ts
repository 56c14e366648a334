import { verifyGuid } from '@/lib/accounts/commands';
import { done, doneSchema, verifyGuidSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';

export const POST = handle(
  {
    summary: 'Check the link of a mail by which a new password is chosen',
    access: 'unidentified',
    body: verifyGuidSchema,
    answers: doneSchema,
    limit: { hits: 30, windowSeconds: 600 },
  },
  async ({ body, now }) => {
    await verifyGuid(body.guid, now);
    return done;
  },
);
