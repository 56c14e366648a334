import { isEdgeOpen } from '@/lib/api/edge';
import { handle } from '@/lib/api/handle';
import { listFixtures } from '@/lib/fixtures/queries';
import { daysAfter } from '@/lib/fixtures/rules';
import { maxFixtureDays, sportQuerySchema, upcomingCount, upcomingSchema } from '@/lib/fixtures/schema';

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
