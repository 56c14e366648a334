import { handle } from '@/lib/api/handle';
import { editContent } from '@/lib/content/commands';
import { contentOrderSchema, contentParamsSchema } from '@/lib/content/schema';
import { whyNoPage } from '@/lib/redirects';
import { staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Saves a text of the site as a version, takes it back to an older one, or keeps one from being published',
    access: 'staff',
    params: contentParamsSchema,
    body: contentOrderSchema,
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body }) => editContent(viewer, params, body, whyNoPage),
);
