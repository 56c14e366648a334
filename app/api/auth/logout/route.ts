import { closeSession } from '@/lib/accounts/commands';
import { done, doneSchema, logoutSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { noSessionCookies, Reply } from '@/lib/api/reply';
import { routes } from '@/lib/routes';

export const POST = handle(
  {
    summary: 'End a login',
    access: 'unidentified',
    body: logoutSchema,
    answers: doneSchema,
    form: { page: () => routes.home(), next: () => routes.home() },
  },
  async ({ body, caller, now }) => {
    await closeSession(body, caller, now);
    return new Reply(done, noSessionCookies());
  },
);
