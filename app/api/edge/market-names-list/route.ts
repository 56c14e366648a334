import { isEdgeOpen } from '@/lib/api/edge';
import { handle } from '@/lib/api/handle';
import { listMarketNames } from '@/lib/fixtures/queries';
import { marketNamesQuerySchema, marketNamesSchema } from '@/lib/fixtures/schema';

export const GET = handle(
  {
    summary: 'The kinds of market that a fixture or a league has',
    access: 'public',
    query: marketNamesQuerySchema,
    answers: marketNamesSchema,
  },
  async ({ viewer, query }) => ({ marketNames: isEdgeOpen() ? await listMarketNames(viewer, query.reference) : [] }),
);
