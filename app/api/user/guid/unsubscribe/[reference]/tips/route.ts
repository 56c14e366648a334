import { mailChoiceSchema, unsubscribeQuerySchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { stopMails } from '@/lib/notifications/commands';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { routes } from '@/lib/routes';

export const POST = handle(
  {
    summary: 'Stop the mails about the tips of a portfolio, by the guid of a mail’s link (RFC 8058)',
    access: 'unidentified',
    params: portfolioParamsSchema,
    query: unsubscribeQuerySchema,
    answers: mailChoiceSchema,
    limit: { hits: 60, windowSeconds: 60 },
    form: {
      page: ({ guid = '' }) => routes.unsubscribe(guid),
      next: ({ guid = '' }) => routes.unsubscribe(guid),
    },
  },
  ({ params, query, now }) => stopMails(params.reference, 'tips', query.guid, now),
);
