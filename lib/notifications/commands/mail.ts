import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { putMail, putMails } from '@/lib/platform/mail';
import { mapInTurns } from '@/lib/platform/turns';
import { routes } from '@/lib/routes';
import { digestLetter, newsLetter } from '../rules/letters';
import type { DeliveryOutcome, Message, Recipient } from '../schema/messages';
import { type Addressed, type Channel, reachedByMail } from './channels';

type About = { accountId: number; portfolioReference: string | null };

/** The addresses by which mails to accounts, about a portfolio or about all, are stopped, in the order asked for; the same for as long as there is the account. */
async function stopUrlsFor(about: readonly About[]): Promise<string[]> {
  const { rows } = await sql<{ key: string; guid: string }>`
    with wanted as (
      select distinct account_id, portfolio.id as portfolio_id, wanted.reference
      from unnest(${about.map(({ accountId }) => accountId)}::int[], ${about.map(({ portfolioReference }) => portfolioReference)}::text[]) wanted (account_id, reference)
      left join portfolio on portfolio.reference = wanted.reference
    ), linked as (
      insert into mail_link as known (account_id, portfolio_id) select distinct account_id, portfolio_id from wanted order by account_id, portfolio_id
      on conflict (account_id, coalesce(portfolio_id, 0)) do update set account_id = known.account_id returning guid, account_id, portfolio_id
    )
    select account_id || ' ' || coalesce(reference, '') as key, guid from wanted join linked using (account_id)
    where wanted.portfolio_id is not distinct from linked.portfolio_id
  `.execute(database());
  const guids = new Map(rows.map(({ key, guid }) => [key, guid]));
  const { siteUrl } = env();
  return about.map(
    ({ accountId, portfolioReference }) =>
      `${siteUrl}${routes.unsubscribe(guids.get(`${accountId} ${portfolioReference ?? ''}`) ?? '')}`,
  );
}

const settingsUrl = () => `${env().siteUrl}${routes.dashboard('notifications')}`;

// RFC 8058: a mail program stops such mails by one POST, without signing in.
const stopHeaders = (stopUrl: string) => ({
  'List-Unsubscribe': `<${stopUrl}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

async function deliverAll(given: readonly Addressed[], now: Date): Promise<DeliveryOutcome[]> {
  const reached = given.flatMap(({ message, recipient: { email, ...recipient } }) =>
    email === null ? [] : [{ message, email, ...recipient }],
  );
  const stopUrls = await stopUrlsFor(
    reached.map(({ accountId, message }) => ({ accountId, portfolioReference: message.portfolio?.reference ?? null })),
  );
  const mails = await mapInTurns(reached, ({ message, email, username }, index) => {
    const stopUrl = stopUrls[index] ?? '';
    return {
      to: email,
      ...newsLetter(message, username, { stopUrl, settingsUrl: settingsUrl() }),
      headers: stopHeaders(stopUrl),
    };
  });
  await putMails(mails, now);
  return given.map(({ recipient: { email } }) => (email === null ? 'gone' : 'sent'));
}

/** News by e-mail: into the outbox, from which it is sent. */
export const mailChannel: Channel = { channel: 'email', reach: reachedByMail, isOurs: true, deliverAll };

/** Puts the one mail of a day into the outbox. */
export async function putDigest(
  messages: readonly Message[],
  { accountId, email, username }: Recipient,
  now: Date,
): Promise<void> {
  if (email === null || messages.length === 0) return;
  const [stopUrl = ''] = await stopUrlsFor([{ accountId, portfolioReference: null }]);
  await putMail(
    {
      to: email,
      ...digestLetter(messages, username, { stopUrl, settingsUrl: settingsUrl() }),
      headers: stopHeaders(stopUrl),
    },
    now,
  );
}
