import { isEdgeOpen } from '@/lib/api/edge';
import { handle } from '@/lib/api/handle';
import { listFixtures } from '@/lib/fixtures/queries/lists';
import { daysAfter } from '@/lib/fixtures/rules';
import { maxFixtureDays } from '@/lib/fixtures/schema';
import { sportQuerySchema, upcomingCount, upcomingSchema } from '@/lib/fixtures/schema/calls';

export const GET = handle(
  { summary: 'The next fixtures of a sport', access: 'public', query: sportQuerySchema, answers: upcomingSchema },
  async ({ viewer, query, now }) => ({
    fixtures: isEdgeOpen()
      ? await listFixtures(
          viewer,
          { ...query, from: now, until: daysAfter(now, maxFixtureDays), limit: upcomingCount },
          now,
        )
      : [],
  }),
);
