import { handle } from '@/lib/api/handle';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { listTips } from '@/lib/tips/queries';
import { tipPageAnswer } from '@/lib/tips/rules';
import { tipListQuerySchema, tipPageAnswerSchema } from '@/lib/tips/schema';

export const GET = handle(
  {
    summary: 'A portfolio’s tips, newest first',
    access: 'public',
    params: portfolioParamsSchema,
    query: tipListQuerySchema,
    answers: tipPageAnswerSchema,
  },
  async ({ viewer, params, query, now }) =>
    tipPageAnswer(await listTips(viewer, params.reference, { state: 'all', skip: query.skip }, now)),
);
