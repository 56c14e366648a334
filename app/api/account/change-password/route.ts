import { changePassword } from '@/lib/accounts/commands';
import { changePasswordSchema, done, doneSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { noSessionCookies, Reply } from '@/lib/api/reply';
import { routes } from '@/lib/routes';

export const POST = handle(
  {
    summary: 'Take a new password, by the code or the link that was mailed; every login of the account ends',
    access: 'unidentified',
    body: changePasswordSchema,
    answers: doneSchema,
    limit: { hits: 30, windowSeconds: 600 },
    form: {
      page: ({ guid }) => (guid ? routes.forgottenPassword({ guid }) : `${routes.forgottenPassword()}?sent=1`),
      next: () => routes.login(),
    },
  },
  async ({ body, caller, now }) => {
    await changePassword(body, now, caller.address);
    return new Reply(done, noSessionCookies());
  },
);
