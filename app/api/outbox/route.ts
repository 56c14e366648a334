import { listOutbox, outboxSchema } from '@/lib/api/outbox';
import { handle } from '@/lib/api/handle';

export const GET = handle(
  {
    summary: 'The mails that wait to be sent, where development or TIPLEDGER_OUTBOX=on opens them',
    access: 'unidentified',
    answers: outboxSchema,
  },
  () => listOutbox(),
);
