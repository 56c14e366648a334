import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { putMail } from '@/lib/platform/mail';
import { routes } from '@/lib/routes';
import { digestLetter, newsLetter } from '../rules/letters';
import type { DeliveryOutcome, Message, Recipient } from '../schema/messages';
import { type Channel, reachedByMail } from './channels';

/** The address by which mails to an account, about a portfolio or about all, are stopped; the same for as long as there is the account. */
async function stopUrlFor(accountId: number, portfolioReference: string | null): Promise<string> {
  const { rows } = await sql<{ guid: string }>`
    insert into mail_link as known (account_id, portfolio_id) values (${accountId}, (select id from portfolio where reference = ${portfolioReference}))
    on conflict (account_id, coalesce(portfolio_id, 0)) do update set account_id = known.account_id returning guid
  `.execute(database());
  return `${env().siteUrl}${routes.unsubscribe(rows[0]?.guid ?? '')}`;
}

const settingsUrl = () => `${env().siteUrl}${routes.dashboard('notifications')}`;

// RFC 8058: a mail program stops such mails by one POST, without signing in.
const stopHeaders = (stopUrl: string) => ({
  'List-Unsubscribe': `<${stopUrl}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

async function deliver(
  message: Message,
  { accountId, email, username }: Recipient,
  now: Date,
): Promise<DeliveryOutcome> {
  if (email === null) return 'gone';
  const stopUrl = await stopUrlFor(accountId, message.portfolio?.reference ?? null);
  await putMail(
    {
      to: email,
      ...newsLetter(message, username, { stopUrl, settingsUrl: settingsUrl() }),
      headers: stopHeaders(stopUrl),
    },
    now,
  );
  return 'sent';
}

/** News by e-mail: into the outbox, from which it is sent. */
export const mailChannel: Channel = { channel: 'email', reach: reachedByMail, isOurs: true, deliver };

/** Puts the one mail of a day into the outbox. */
export async function putDigest(
  messages: readonly Message[],
  { accountId, email, username }: Recipient,
  now: Date,
): Promise<void> {
  if (email === null || messages.length === 0) return;
  const stopUrl = await stopUrlFor(accountId, null);
  await putMail(
    {
      to: email,
      ...digestLetter(messages, username, { stopUrl, settingsUrl: settingsUrl() }),
      headers: stopHeaders(stopUrl),
    },
    now,
  );
}
