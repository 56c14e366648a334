import { z } from 'zod';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { findWaitingMail, listWaitingMails } from '@/lib/platform/mail';
import type { Answer } from './answer';
import { OwnAnswer } from './own-answer';

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
  refuseClosed();
  const mails = await listWaitingMails(most);
  return mails.map(({ createdAt, headers = {}, ...mail }) => ({
    ...mail,
    headers: { ...headers },
    createdAt: createdAt.toISOString(),
  }));
}

function refuseClosed(): void {
  const { NODE_ENV, TIPLEDGER_OUTBOX } = env();
  if (NODE_ENV === 'production' && TIPLEDGER_OUTBOX !== 'on') throw new Failure('missing', 'Not Found');
}

/** A mail as it looks: its HTML with its own styles, and nothing else allowed. */
export class MailPage extends OwnAnswer {
  constructor(readonly html: string) {
    super();
  }

  answer(request: Request): Answer {
    const headers: Answer['headers'] = [
      ['content-type', 'text/html; charset=utf-8'],
      ['cache-control', 'no-store'],
      ['content-disposition', 'inline; filename="mail.html"'],
      [
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox allow-popups allow-top-navigation-by-user-activation",
      ],
    ];
    return { status: 200, headers, body: request.method === 'HEAD' ? null : this.html };
  }
}

/** What the call declares as its answer. */
export const mailPageSchema = z.instanceof(MailPage).meta({ mediaTypes: ['text/html; charset=utf-8'], fixed: true });

/** A mail that waits, as it looks; Failure 'missing' where there is none, and where the outbox is closed. */
export async function getMailPage(id: number): Promise<MailPage> {
  refuseClosed();
  const mail = await findWaitingMail(id);
  if (!mail) throw new Failure('missing', 'This mail waits no more: it was sent, or never was.');
  return new MailPage(mail.html);
}
