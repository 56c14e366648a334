import { z } from 'zod';
import { unsubscribeQuerySchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { followMailLink } from '@/lib/notifications/commands';
import { mailLinkActions, mailLinkSchema } from '@/lib/notifications/schema';
import { routes } from '@/lib/routes';

export const POST = handle(
  {
    summary:
      'Stops the mails that a mail’s link is about, without signing in (RFC 8058); with an action one kind of them, one a day instead, or takes it back',
    access: 'unidentified',
    params: unsubscribeQuerySchema,
    query: z.object({
      action: z.enum(mailLinkActions, `action must be one of ${mailLinkActions.join(', ')}`).default('stop'),
    }),
    answers: mailLinkSchema,
    limit: { hits: 60, windowSeconds: 60 },
    form: {
      page: ({ guid = '' }) => routes.unsubscribe(guid),
      next: ({ guid = '' }) => routes.unsubscribe(guid),
    },
  },
  ({ params, query, now }) => followMailLink(params.guid, query.action, now),
);
