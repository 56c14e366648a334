import { z } from 'zod';
import { openedTo } from '@/lib/access/rules';
import { changeSettings } from '@/lib/accounts/commands';
import { getUser } from '@/lib/accounts/queries';
import { settingsPatchSchema, userAnswerSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { countUnreadKept } from '@/lib/notifications/queries';
import { listOwnPortfolios } from '@/lib/portfolios/queries';
import { ownPortfolioSchema } from '@/lib/portfolios/schema';
import { optionalIdempotencyHeadersSchema } from '@/lib/reference/schema';

export const GET = handle(
  {
    summary:
      'The signed-in user and their settings; with them the portfolios that they manage, in short, how many notifications they have not read, and the ids of the portfolios whose members’ texts they may read',
    access: 'member',
    keptForBearer: true,
    answers: userAnswerSchema.extend({
      portfolios: z.array(ownPortfolioSchema),
      unread: z.int(),
      opens: z.array(z.int()),
    }),
  },
  async ({ viewer, now }) => ({
    ...(await getUser(viewer, now)),
    portfolios: await listOwnPortfolios(viewer),
    unread: await countUnreadKept(viewer, now),
    opens: openedTo(viewer),
  }),
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
