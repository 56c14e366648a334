import { askForCode, spendProof } from '@/lib/accounts/commands';
import { done, doneSchema, forgottenPasswordSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { routes } from '@/lib/routes';

export const POST = handle(
  {
    summary: 'Mail a code and a link by which a new password is chosen, when the address has an account',
    access: 'unidentified',
    body: forgottenPasswordSchema,
    answers: doneSchema,
    limit: { hits: 30, windowSeconds: 600 },
    form: {
      page: () => routes.forgottenPassword(),
      next: () => `${routes.forgottenPassword()}?sent=1`,
    },
  },
  async ({ body, caller, form, now }) => {
    await spendProof(body.token, { address: caller.address, unproven: form }, now);
    await askForCode(body.emailAddress, 'password', now, caller.address);
    return done;
  },
);
