import { safeRedirect } from '@/lib/access/rules';
import { registerAccount } from '@/lib/accounts/commands';
import { authAnswerOf, authAnswerSchema, registrationSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { Reply, sessionCookies } from '@/lib/api/reply';
import { routes } from '@/lib/routes';

export const POST = handle(
  {
    summary: 'Open an account, sign it in and mail the code that confirms its address',
    access: 'unidentified',
    body: registrationSchema,
    answers: authAnswerSchema,
    limit: { hits: 30, windowSeconds: 600 },
    form: {
      page: ({ redirect_to }) => routes.register({ redirect_to: safeRedirect(redirect_to) ?? undefined }),
      next: ({ redirect_to }) =>
        routes.verify({ redirect_after_verify: safeRedirect(redirect_to) ?? routes.dashboard() }),
    },
  },
  async ({ body, caller, form, now }) => {
    const issued = await registerAccount(body, { ...caller, unproven: form }, now);
    return new Reply(authAnswerOf(issued), sessionCookies(issued));
  },
);
