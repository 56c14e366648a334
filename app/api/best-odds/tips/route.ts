import { handle } from '@/lib/api/handle';
import { listTipPrices } from '@/lib/tips/queries';
import { tipPricesAnswerSchema, tipPricesQuerySchema } from '@/lib/tips/schema';

export const GET = handle(
  {
    summary: 'The best prices now of open tips at the bookmakers that serve the viewer’s country, and which have gone',
    access: 'public',
    query: tipPricesQuerySchema,
    answers: tipPricesAnswerSchema,
    limit: { hits: 60, windowSeconds: 60 },
  },
  ({ viewer, query, now }) => listTipPrices(viewer, query.tips, now),
);
