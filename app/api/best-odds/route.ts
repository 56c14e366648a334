import { handle } from '@/lib/api/handle';
import { listBestOdds } from '@/lib/fixtures/queries';
import { bestOddsAnswerSchema, bestOddsQuerySchema } from '@/lib/fixtures/schema';

export const GET = handle(
  {
    summary: 'The best prices of fixtures’ main markets at the bookmakers that serve the viewer’s country',
    access: 'public',
    query: bestOddsQuerySchema,
    answers: bestOddsAnswerSchema,
    limit: { hits: 60, windowSeconds: 60 },
  },
  async ({ viewer, query }) => ({ fixtures: await listBestOdds(viewer, query.fixtures) }),
);
