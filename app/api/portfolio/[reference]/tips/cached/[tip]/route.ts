import { handle } from '@/lib/api/handle';
import { guest } from '@/lib/http/viewer';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { getTip } from '@/lib/tips/queries';
import { tipAnswer } from '@/lib/tips/rules';
import { tipAnswerSchema, tipReferenceSchema } from '@/lib/tips/schema';

export const GET = handle(
  {
    summary: 'A tip as every guest sees it',
    access: 'public',
    params: portfolioParamsSchema.extend({ tip: tipReferenceSchema }),
    answers: tipAnswerSchema,
  },
  async ({ params, now }) => tipAnswer(await getTip(guest(), params.reference, params.tip, now)),
);
