import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import type { MailChoice } from '@/lib/accounts/schema';
import { forget } from '@/lib/platform/cache';
import { arrayOf, database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { holdAccount, lockAccount } from '@/lib/platform/held-account';
import { getPortfolio } from '@/lib/portfolios/queries';
import { findMailLink, getMailLink } from '../queries/settings';
import {
  alwaysWanted,
  defaultWanted,
  type Hours,
  type MailLink,
  type MailLinkAction,
  mailLinkTopics,
  type NewsChange,
  type PortfolioNewsChange,
  portfolioTopics,
  type Topic,
} from '../schema/settings';
import type { ChannelName } from '../schema/messages';
import type { ReadShown } from '../schema/notifications';

type Changed = { topic: Topic; channel: ChannelName; wanted: boolean | null };
type Place = { accountId: number; portfolioId: number | null };

const memberOf = (viewer: Viewer) => {
  requireMember(viewer);
  return viewer;
};

/** Product §12: changes what a member hears of all portfolios, by which way and when; what is not named stays. Failure 'invalid' for what cannot be turned off. */
export async function changeNews(
  viewer: Viewer,
  { silenced, siteNews, choices = [], hours }: NewsChange,
): Promise<void> {
  const { accountId } = memberOf(viewer);
  const place = { accountId, portfolioId: null };
  refuseLocked(choices);
  await transact(async () => {
    await holdAccount(accountId);
    if (silenced !== undefined) await setSilence(place, silenced);
    if (siteNews !== undefined) await setSiteNews(accountId, siteNews);
    await setChoices(place, choices);
    if (hours) await setHours(accountId, hours);
  });
}

/** Product §12: the same for one portfolio that the viewer may see; null takes a choice back to what holds for all. Failure 'missing' for another. */
export async function changePortfolioNews(
  viewer: Viewer,
  reference: string,
  { silenced, choices = [] }: PortfolioNewsChange,
): Promise<void> {
  const { accountId } = memberOf(viewer);
  const { id: portfolioId } = await getPortfolio(viewer, reference);
  const place = { accountId, portfolioId };
  await transact(async () => {
    await holdAccount(accountId);
    if (silenced !== undefined) await setSilence(place, silenced);
    await setChoices(place, choices);
  });
}

function refuseLocked(choices: readonly Changed[]): void {
  const locked = choices.find(
    ({ topic, channel, wanted }) => wanted === false && alwaysWanted[topic]?.includes(channel),
  );
  if (locked)
    throw new Failure(
      'invalid',
      `News about ${locked.topic} always come by ${locked.channel}. Leave that choice out.`,
      {
        choices: 'holds a choice that cannot be turned off',
      },
    );
}

async function setSilence({ accountId, portfolioId }: Place, silenced: boolean): Promise<void> {
  await sql`delete from news_choice where account_id = ${accountId} and coalesce(portfolio_id, 0) = ${portfolioId ?? 0} and topic = 'all'`.execute(
    database(),
  );
  if (silenced)
    await sql`insert into news_choice (account_id, portfolio_id, topic, channel, wanted) values (${accountId}, ${portfolioId}, 'all', 'all', false)`.execute(
      database(),
    );
}

/** Whether the site may mail its own news: given at sign-up, in the account's row. */
async function setSiteNews(accountId: number, wanted: boolean): Promise<void> {
  await sql`update account set news = ${wanted} where id = ${accountId} and news <> ${wanted}`.execute(database());
}

async function setChoices({ accountId, portfolioId }: Place, choices: readonly Changed[]): Promise<void> {
  for (const { topic, channel, wanted } of choices) {
    await sql`
      delete from news_choice where account_id = ${accountId} and coalesce(portfolio_id, 0) = ${portfolioId ?? 0} and topic = ${topic} and channel = ${channel}
    `.execute(database());
    if (wanted !== null)
      await sql`
        insert into news_choice (account_id, portfolio_id, topic, channel, wanted) values (${accountId}, ${portfolioId}, ${topic}, ${channel}, ${wanted})
      `.execute(database());
  }
}

async function setHours(accountId: number, { quietFrom, quietUntil, digestHour }: Hours): Promise<void> {
  await sql`
    insert into news_hours (account_id, quiet_from, quiet_until, digest_hour) values (${accountId}, ${quietFrom}, ${quietUntil}, ${digestHour})
    on conflict (account_id) do update set quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until, digest_hour = excluded.digest_hour
  `.execute(database());
}

const usualDigestHour = 18;

const isMailedByDefault = (topic: Topic) => defaultWanted[topic].includes('email');

const mailsOf = (topics: readonly Topic[], wanted: boolean | null): Changed[] =>
  topics.map((topic) => ({ topic, channel: 'email', wanted }));

async function dropOwnMails(accountId: number, topics: readonly Topic[]): Promise<void> {
  await sql`
    delete from news_choice where account_id = ${accountId} and portfolio_id is not null and channel = 'email' and wanted and topic = any(${[...topics]}::text[])
  `.execute(database());
}

/** The topics whose mails an account has turned off for every portfolio. */
async function listRefusedMails(accountId: number): Promise<Topic[]> {
  const { rows } = await sql<{ topic: Topic }>`
    select topic from news_choice where account_id = ${accountId} and portfolio_id is null and channel = 'email' and not wanted
  `.execute(database());
  return rows.map(({ topic }) => topic);
}

/**
 * Product §12: does by the guid of a mail's link, without signing in, what it is told: stops all mails of what it is about or one kind, gathers
 * all in one a day, or lets come what comes unless it is chosen otherwise, in which own choices for single tipsters that the link about no tipster
 * dropped do not come back, nor the site's own news; done again, it stays as it is. Failure 'missing' for a guid that no mail had.
 */
export async function followMailLink(guid: string, action: MailLinkAction, now: Date): Promise<MailLink> {
  const noLink = () =>
    new Failure('missing', 'This is not a link from one of our e-mails. Open the link at the foot of an e-mail again.');
  const link = await findMailLink(guid);
  if (!link) throw noLink();
  const everything: readonly Topic[] = link.portfolioId === null ? mailLinkTopics : portfolioTopics;
  const stop = async (topics: readonly Topic[]) => {
    // What was chosen for one tipster goes before what holds for all.
    if (link.portfolioId === null) await dropOwnMails(link.accountId, topics);
    await setChoices(link, mailsOf(topics, false));
  };
  const resume = async () => {
    await setSilence(link, false);
    const refused = link.portfolioId === null ? [] : await listRefusedMails(link.accountId);
    const isRefused = (topic: Topic) => refused.includes(topic) && isMailedByDefault(topic);
    await setChoices(
      link,
      everything.flatMap((topic) => mailsOf([topic], isRefused(topic) ? true : null)),
    );
  };
  await transact(async () => {
    if (!(await lockAccount(link.accountId))) throw noLink();
    if (action === 'stop') {
      await stop(everything);
      if (link.portfolioId === null) await setSiteNews(link.accountId, false);
    } else if (action === 'resume') await resume();
    else if (action === 'daily')
      await sql`
        insert into news_hours as own (account_id, digest_hour) values (${link.accountId}, ${usualDigestHour})
        on conflict (account_id) do update set digest_hour = coalesce(own.digest_hour, excluded.digest_hour)
      `.execute(database());
    else await stop(everything.filter((topic) => action === `stop-${topic}`));
  });
  return getMailLink(guid, now);
}

/** Spec §7: stops the mails of one kind about a portfolio, by the guid of a mail's link and without signing in. Failure 'missing' for a guid of no mail about it. */
export async function stopMails(
  reference: string,
  kind: 'tips' | 'posts',
  guid: string,
  now: Date,
): Promise<MailChoice> {
  const { portfolio } = await getMailLink(guid, now);
  if (portfolio?.reference !== reference)
    throw new Failure(
      'missing',
      'This link is not from an e-mail about this portfolio. Open the link at the foot of an e-mail again.',
    );
  const { tip, post } = await followMailLink(guid, kind === 'tips' ? 'stop-tip' : 'stop-post', now);
  return { portfolioReference: reference, tips: tip, posts: post };
}

/** Product §12: marks these notifications of a member as read, on all their devices. */
export async function readNotifications(viewer: Viewer, shown: ReadShown, now: Date): Promise<void> {
  const { accountId } = memberOf(viewer);
  const isShown =
    shown.ids === undefined ? sql`event_id <= ${shown.upTo}` : sql`event_id = any(${arrayOf(shown.ids)}::bigint[])`;
  await transact(async () => {
    const { numAffectedRows } = await sql`
      update delivery set read_at = ${now} where account_id = ${accountId} and channel = 'app' and read_at is null and ${isShown}
    `.execute(database());
    if (Number(numAffectedRows ?? 0) > 0) await forget([`news:${accountId}`]);
  });
}
