import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { getMailPage, mailPageSchema } from '@/lib/api/outbox';

export const GET = handle(
  {
    summary: 'A mail that waits to be sent, as it looks, where development or TIPLEDGER_OUTBOX=on opens the outbox',
    access: 'unidentified',
    params: z.object({
      mail: z
        .string()
        .regex(/^[1-9]\d{0,8}$/, 'must be the number of a mail')
        .transform(Number),
    }),
    answers: mailPageSchema,
  },
  ({ params }) => getMailPage(params.mail),
);
