import { z } from 'zod';
import { closeAllSessions } from '@/lib/accounts/commands';
import { listSessions } from '@/lib/accounts/queries';
import { done, doneSchema, sessionViewSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { noSessionCookies, Reply } from '@/lib/api/reply';

export const GET = handle(
  { summary: 'The logins of the signed-in user that hold', access: 'member', answers: z.array(sessionViewSchema) },
  ({ viewer, now }) => listSessions(viewer, now),
);

export const DELETE = handle(
  {
    summary: 'Sign out everywhere; browsers and a linked chat are told no more',
    access: 'member',
    whileSuspended: true,
    answers: doneSchema,
  },
  async ({ viewer, now }) => {
    await closeAllSessions(viewer, now);
    return new Reply(done, noSessionCookies());
  },
);
