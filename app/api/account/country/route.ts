import { findCountryAt } from '@/lib/accounts/queries';
import { placeSchema, positionSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';

export const POST = handle(
  {
    summary: 'The country of a position, where a geocoder is configured; the default country when it fails',
    access: 'unidentified',
    body: positionSchema,
    answers: placeSchema,
    limit: { hits: 20, windowSeconds: 600 },
  },
  ({ body }) => findCountryAt(body),
);
