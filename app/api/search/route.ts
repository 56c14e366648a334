import { handle } from '@/lib/api/handle';
import { search } from '@/lib/search/queries';
import { searchAnswerSchema, searchQuerySchema } from '@/lib/search/schema';

export const GET = handle(
  {
    summary: 'Sports, leagues, fixtures, portfolios and pages by their names, typing errors forgiven',
    access: 'public',
    query: searchQuerySchema,
    answers: searchAnswerSchema,
    limit: { hits: 240, windowSeconds: 60 },
  },
  ({ viewer, query: { q, limit, kind }, now }) => search(viewer, { text: q, limit, kind }, now),
);
