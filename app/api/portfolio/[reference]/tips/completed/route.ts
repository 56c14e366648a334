import { handle } from '@/lib/api/handle';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { listTips } from '@/lib/tips/queries';
import { tipListQuerySchema, tipPageSchema } from '@/lib/tips/schema';

export const GET = handle(
  {
    summary: 'A portfolio’s settled tips',
    access: 'public',
    params: portfolioParamsSchema,
    query: tipListQuerySchema,
    answers: tipPageSchema,
  },
  ({ viewer, params, query, now }) => listTips(viewer, params.reference, { state: 'settled', skip: query.skip }, now),
);
