import { safeRedirect } from '@/lib/access/rules';
import { signIn } from '@/lib/accounts/commands';
import { authAnswerOf, authAnswerSchema, credentialsSchema, failedLogin } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { Reply, sessionCookies } from '@/lib/api/reply';
import { routes } from '@/lib/routes';

export const POST = handle(
  {
    summary: 'Sign in by username or e-mail address; a refusal carries the outcome too',
    access: 'unidentified',
    body: credentialsSchema,
    answers: authAnswerSchema,
    limit: { hits: 100, windowSeconds: 300 },
    alsoRefuses: [401, 423],
    refused: failedLogin,
    form: {
      page: ({ redirect_to }) => routes.login({ redirect_to: safeRedirect(redirect_to) ?? undefined }),
      next: ({ redirect_to }) => safeRedirect(redirect_to) ?? routes.dashboard(),
    },
  },
  async ({ body, caller, now }) => {
    const issued = await signIn(body, caller, now);
    return new Reply(authAnswerOf(issued), sessionCookies(issued));
  },
);
