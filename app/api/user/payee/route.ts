import { handle } from '@/lib/api/handle';
import { getPayee, openPayee } from '@/lib/money/commands';
import { payeeInputSchema, payeePageSchema, payeeViewSchema } from '@/lib/money/schema';

export const GET = handle(
  {
    summary:
      'Where the member stands with being paid out to, as the provider of payments has it now; nothing where it needs nothing of them',
    access: 'confirmed',
    answers: payeeViewSchema,
    limit: { hits: 60, windowSeconds: 60 },
  },
  ({ viewer }) => getPayee(viewer),
);

export const POST = handle(
  {
    summary: 'Give the provider of payments what it needs to pay the member out: the answer says where',
    access: 'confirmed',
    body: payeeInputSchema,
    answers: payeePageSchema,
    limit: { hits: 20, windowSeconds: 60 },
  },
  ({ viewer, body }) => openPayee(viewer, body),
);
