import { isEdgeOpen } from '@/lib/api/edge';
import { handle } from '@/lib/api/handle';
import { listFixtureGroups } from '@/lib/fixtures/queries';
import { daysAfter } from '@/lib/fixtures/rules';
import { fixturesListQuerySchema, fixturesListSchema } from '@/lib/fixtures/schema';

export const GET = handle(
  {
    summary: 'The coming fixtures of a sport under leagues or days (UTC), filtered by name',
    access: 'public',
    query: fixturesListQuerySchema,
    answers: fixturesListSchema,
  },
  async ({ viewer, query: { days, ...choice }, now }) => ({
    groups: isEdgeOpen()
      ? await listFixtureGroups(viewer, { ...choice, from: now, until: daysAfter(now, days) }, now)
      : [],
  }),
);
