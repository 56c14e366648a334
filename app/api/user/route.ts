import { changeSettings } from '@/lib/accounts/commands';
import { getUser } from '@/lib/accounts/queries';
import { settingsPatchSchema, userAnswerSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { optionalIdempotencyHeadersSchema } from '@/lib/reference/schema';

export const GET = handle(
  {
    summary: 'The signed-in user and their settings',
    access: 'member',
    keptForBearer: true,
    answers: userAnswerSchema,
  },
  ({ viewer, now }) => getUser(viewer, now),
);

export const PUT = handle(
  {
    summary: 'Change one setting or more',
    access: 'member',
    headers: optionalIdempotencyHeadersSchema,
    body: settingsPatchSchema,
    answers: userAnswerSchema,
  },
  ({ viewer, headers, body, now }) => changeSettings(viewer, body, now, headers['idempotency-key']),
);
