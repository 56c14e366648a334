import { handle } from '@/lib/api/handle';
import { editBookmaker } from '@/lib/content/commands';
import { bookmakerOrderSchema, bookmakerParamsSchema } from '@/lib/content/schema';
import { staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Changes the texts, the offer, the rank and the country blocks of a bookmaker',
    access: 'staff',
    params: bookmakerParamsSchema,
    body: bookmakerOrderSchema,
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body }) => editBookmaker(viewer, params.bookmaker, body),
);
