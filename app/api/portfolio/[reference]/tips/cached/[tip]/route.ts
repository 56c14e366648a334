import { handle } from '@/lib/api/handle';
import { guest } from '@/lib/http/viewer';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { getTip } from '@/lib/tips/queries';
import { tipReferenceSchema, tipViewSchema } from '@/lib/tips/schema';

export const GET = handle(
  {
    summary: 'A tip as every guest sees it',
    access: 'public',
    params: portfolioParamsSchema.extend({ tip: tipReferenceSchema }),
    answers: tipViewSchema,
  },
  ({ params, now }) => getTip(guest(), params.reference, params.tip, now),
);
