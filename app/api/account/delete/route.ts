import { deleteAccount } from '@/lib/accounts/commands';
import { done, doneSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { noSessionCookies, Reply } from '@/lib/api/reply';

export const DELETE = handle(
  {
    summary: 'Delete the account: personal data goes, the settled record stays under “former tipster”',
    access: 'member',
    whileSuspended: true,
    answers: doneSchema,
  },
  async ({ viewer, now }) => {
    await deleteAccount(viewer, now);
    return new Reply(done, noSessionCookies());
  },
);
