import { z } from 'zod';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { listWaitingMails } from '@/lib/platform/mail';

/** The mails that wait in the outbox, newest first. */
export const outboxSchema = z.array(
  z.object({
    id: z.int(),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    headers: z.record(z.string(), z.string()),
    createdAt: z.iso.datetime(),
    attempts: z.int(),
  }),
);

const most = 100;

/** The mails that wait; Failure 'missing' in production, save where TIPLEDGER_OUTBOX opens it, as they hold codes. */
export async function listOutbox(): Promise<z.input<typeof outboxSchema>> {
  const { NODE_ENV, TIPLEDGER_OUTBOX } = env();
  if (NODE_ENV === 'production' && TIPLEDGER_OUTBOX !== 'on') throw new Failure('missing', 'Not Found');
  const mails = await listWaitingMails(most);
  return mails.map(({ createdAt, headers = {}, ...mail }) => ({
    ...mail,
    headers: { ...headers },
    createdAt: createdAt.toISOString(),
  }));
}
