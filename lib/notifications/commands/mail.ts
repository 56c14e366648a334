import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { type Mail, putMail, putMails, type Rewritten } from '@/lib/platform/mail';
import { mapInTurns } from '@/lib/platform/turns';
import { routes } from '@/lib/routes';
import { digestMail, eventMail } from '../rules/letters';
import type { ViewerOf } from '../queries/readers';
import type { DeliveryOutcome } from '../schema/messages';
import { type Addressed, type Channel, reachedByMail } from './channels';
import { type Claimed, claimedColumns, type Judged, judge, noteVerdicts } from './deliveries';

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

/** The mails that tell people of news, those aside whom no mail reaches. */
async function newsMails(given: readonly Addressed[]): Promise<Mail[]> {
  const reached = given.flatMap(({ id, message, recipient: { email, ...recipient } }) =>
    email === null ? [] : [{ id, message, email, ...recipient }],
  );
  const stopUrls = await stopUrlsFor(
    reached.map(({ accountId, message }) => ({ accountId, portfolioReference: message.portfolio?.reference ?? null })),
  );
  return mapInTurns(reached, ({ id, message, email, username }, index) => {
    const stopUrl = stopUrls[index] ?? '';
    return {
      to: email,
      ...eventMail(message, username, { stopUrl, settingsUrl: settingsUrl() }),
      headers: stopHeaders(stopUrl),
      deliveries: id === undefined ? null : [id],
    };
  });
}

async function deliverAll(given: readonly Addressed[], now: Date): Promise<DeliveryOutcome[]> {
  await putMails(await newsMails(given), now);
  return given.map(({ recipient: { email } }) => (email === null ? 'gone' : 'sent'));
}

/** News by e-mail: into the outbox, from which it is sent. */
export const mailChannel: Channel = { channel: 'email', reach: reachedByMail, isOurs: true, deliverAll };

/** The mails of a day, each with all that it tells one person of, in the order given; null where there is nothing, or no mail reaches them. */
async function digestsFor(given: readonly (readonly Judged[])[]): Promise<(Mail | null)[]> {
  const reached = given.flatMap((told, place) => {
    const [first] = told;
    if (!first || first.recipient.email === null) return [];
    const { email, accountId, username } = first.recipient;
    return [{ place, told, email, accountId, username }];
  });
  const stopUrls = await stopUrlsFor(reached.map(({ accountId }) => ({ accountId, portfolioReference: null })));
  const mails = await mapInTurns(reached, ({ told, email, username }, index) => {
    const stopUrl = stopUrls[index] ?? '';
    const messages = told.map(({ message }) => message);
    return {
      to: email,
      ...digestMail(messages, username, { stopUrl, settingsUrl: settingsUrl() }),
      headers: stopHeaders(stopUrl),
      deliveries: told.map(({ id }) => id),
    };
  });
  const byPlace = new Map(reached.map(({ place }, index) => [place, mails[index]]));
  return given.map((_, place) => byPlace.get(place) ?? null);
}

/** Puts the one mail of a day into the outbox. */
export async function putDigest(told: readonly Judged[], now: Date): Promise<void> {
  const [mail] = await digestsFor([told]);
  if (mail) await putMail(mail, now);
}

/**
 * Product §12: writes mails of news that wait in the outbox as they are to be sent now: whoever has lost access meanwhile, has chosen otherwise or cannot
 * be reached any more is told nothing, or no more than they may see; no tip that has started is told of as news; quiet hours hold all but the mail of a day.
 */
export async function rewriteMails(
  told: readonly (readonly number[])[],
  viewerOf: ViewerOf,
  now: Date,
): Promise<Rewritten[]> {
  const { rows } = await sql<Claimed & { digest: boolean }>`
    select ${claimedColumns}, digest from delivery where id = any(${told.flat()}::bigint[]) order by id
  `.execute(database());
  const { ready, verdicts } = await judge(rows, mailChannel, viewerOf, now, ({ digest }) => !digest);
  const later = new Map(
    verdicts.flatMap((verdict) => (verdict.state === 'waiting' ? [[verdict.id, verdict] as const] : [])),
  );
  await noteVerdicts(verdicts.filter(({ state }) => state === 'dropped'));
  const [inDigests, byId] = [
    new Set(rows.flatMap(({ id, digest }) => (digest ? [id] : []))),
    new Map(ready.map((one) => [one.id, one])),
  ];
  const single = ready.filter(({ id }) => !inDigests.has(id));
  const mails = new Map((await newsMails(single)).map((mail) => [mail.deliveries?.[0], mail]));
  const waiting = told.map((ids) => ids.flatMap((id) => later.get(id) ?? [])[0]);
  const digests = await digestsFor(
    told.map((ids, index) =>
      waiting[index] || !ids.some((id) => inDigests.has(id)) ? [] : ids.flatMap((id) => byId.get(id) ?? []),
    ),
  );
  return told.map(([first = 0], index) => {
    const held = waiting[index];
    if (held) return held.quiet ? { heldUntil: held.nextAt } : undefined;
    return digests[index] ?? mails.get(first) ?? null;
  });
}
