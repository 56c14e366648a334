import { isEdgeOpen } from '@/lib/api/edge';
import { handle } from '@/lib/api/handle';
import { listTopLeagues } from '@/lib/fixtures/queries';
import { sportQuerySchema, topLeaguesSchema } from '@/lib/fixtures/schema';

export const GET = handle(
  {
    summary: 'The leagues of a sport, those that play soon first, then by rank',
    access: 'public',
    query: sportQuerySchema,
    answers: topLeaguesSchema,
  },
  async ({ viewer, query, now }) => ({ leagues: isEdgeOpen() ? await listTopLeagues(viewer, query, now) : [] }),
);
