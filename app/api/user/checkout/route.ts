import { handle } from '@/lib/api/handle';
import { getTerms } from '@/lib/memberships/queries';
import { termsQuerySchema, termsSchema } from '@/lib/memberships/schema';

export const GET = handle(
  {
    summary: 'What one would be charged for a plan, now and at its renewal, on which terms',
    access: 'member',
    query: termsQuerySchema,
    answers: termsSchema,
    limit: { hits: 60, windowSeconds: 60 },
  },
  ({ viewer, query, now }) => getTerms(viewer, query.portfolio, query, now),
);
