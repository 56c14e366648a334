import { resumeSession } from '@/lib/accounts/commands';
import { authAnswerOf, authAnswerSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { Reply, sessionCookies } from '@/lib/api/reply';

export const POST = handle(
  {
    summary: 'Exchange the session cookie for an access token and a refresh token, from a page of this site',
    access: 'unidentified',
    byCookie: true,
    answers: authAnswerSchema,
    limit: { hits: 60, windowSeconds: 300 },
  },
  async ({ caller, now }) => {
    const issued = await resumeSession(caller, now);
    return new Reply(authAnswerOf(issued), sessionCookies(issued));
  },
);
