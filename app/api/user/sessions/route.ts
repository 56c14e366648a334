import { z } from 'zod';
import { closeAllSessions } from '@/lib/accounts/commands/sessions';
import { listSessions } from '@/lib/accounts/queries/sessions';
import { done, doneSchema } from '@/lib/accounts/schema';
import { sessionViewSchema } from '@/lib/accounts/schema/user';
import { handle } from '@/lib/api/handle';
import { noSessionCookies, Reply } from '@/lib/api/reply';

export const GET = handle(
  { summary: 'The logins of the signed-in user that hold', access: 'member', answers: z.array(sessionViewSchema) },
  ({ viewer, now }) => listSessions(viewer, now),
);

export const DELETE = handle(
  { summary: 'Sign out everywhere', access: 'member', answers: doneSchema },
  async ({ viewer, now }) => {
    await closeAllSessions(viewer, now);
    return new Reply(done, noSessionCookies());
  },
);
