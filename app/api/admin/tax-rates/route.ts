import { handle } from '@/lib/api/handle';
import { orderTaxRate } from '@/lib/money/commands';
import { taxRateOrderSchema, taxRateOutcomeSchema } from '@/lib/money/schema';

export const POST = handle(
  {
    summary:
      'Super admins set what part of a price is tax in a country from a moment on, in per cent of the price without it',
    access: 'staff',
    body: taxRateOrderSchema,
    answers: taxRateOutcomeSchema,
  },
  ({ viewer, body }) => orderTaxRate(viewer, body),
);
