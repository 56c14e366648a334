import { issueChallenge } from '@/lib/accounts/commands';
import { challengeSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';

export const GET = handle(
  {
    summary: 'A proof-of-work challenge (ALTCHA) for a registration or a forgotten password',
    access: 'unidentified',
    answers: challengeSchema,
    limit: { hits: 60, windowSeconds: 600 },
  },
  ({ now }) => issueChallenge(now),
);
