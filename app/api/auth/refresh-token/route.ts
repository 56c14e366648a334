import { refreshSession } from '@/lib/accounts/commands';
import { authAnswerOf, authAnswerSchema, refreshSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { Reply, sessionCookies } from '@/lib/api/reply';

export const POST = handle(
  {
    summary: 'Exchange a refresh token, once, for an access token and the next refresh token',
    access: 'unidentified',
    body: refreshSchema,
    answers: authAnswerSchema,
    limit: { hits: 300, windowSeconds: 300 },
  },
  async ({ body, caller, now }) => {
    const issued = await refreshSession(body, caller, now);
    return new Reply(authAnswerOf(issued), sessionCookies(issued));
  },
);
