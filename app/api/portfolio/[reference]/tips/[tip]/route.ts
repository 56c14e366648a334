import { handle } from '@/lib/api/handle';
import { portfolioParamsSchema } from '@/lib/stats/schema';
import { getTip } from '@/lib/tips/queries';
import { tipAnswer } from '@/lib/tips/rules';
import { tipAnswerSchema, tipReferenceSchema } from '@/lib/tips/schema';

export const GET = handle(
  {
    summary: 'A tip as the viewer may see it',
    access: 'public',
    params: portfolioParamsSchema.extend({ tip: tipReferenceSchema }),
    answers: tipAnswerSchema,
  },
  async ({ viewer, params, now }) => tipAnswer(await getTip(viewer, params.reference, params.tip, now)),
);
