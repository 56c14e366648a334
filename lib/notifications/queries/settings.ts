import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { readersByPro } from '@/lib/accounts/queries';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { type ChannelName, channelNames } from '../schema/messages';
import {
  alwaysWanted,
  type Choice,
  defaultWanted,
  type Hours,
  type MailLink,
  mailLinkTopics,
  type NewsSettings,
  portfolioTopics,
  type Topic,
  topics,
} from '../schema/settings';
import { zoneOf } from './readers';

type Chosen = { portfolioId: number; topic: Topic | 'all'; channel: ChannelName | 'all'; wanted: boolean };
type Owner = Partial<Hours> & {
  siteNews: boolean;
  email: string | null;
  stopped: boolean;
  stoppedByStaff: boolean;
  timezoneId: number | null;
};

function choicesOf(listed: readonly Topic[], own: readonly Chosen[], general: readonly Chosen[]): Choice[] {
  const find = (chosen: readonly Chosen[], topic: Topic, channel: ChannelName) =>
    chosen.find((each) => each.topic === topic && each.channel === channel);
  return listed.flatMap((topic) =>
    channelNames.map((channel) => {
      const locked = alwaysWanted[topic]?.includes(channel) ?? false;
      const chosen = find(own, topic, channel);
      const wanted = chosen?.wanted ?? find(general, topic, channel)?.wanted ?? defaultWanted[topic].includes(channel);
      return { topic, channel, wanted: locked || wanted, locked, own: chosen !== undefined };
    }),
  );
}

/** SQL for the portfolios whose news an account hears: of those that it follows, and is a member of, by Pro too. */
const heardBy = (accountId: number, now: Date) => sql`(select portfolio_id from follow where account_id = ${accountId}
  union all select portfolio_id from membership where account_id = ${accountId} and starts_at <= ${now} and ends_at > ${now}
  union all select portfolio_id from ${readersByPro(now)} by_pro where account_id = ${accountId})`;

/** The tags of the cache that tell of a member's news: their own, and those of the portfolios that they follow, and are a member of, by Pro too. Failure 'unauthorised' for a guest. */
export async function findNewsTags(viewer: Viewer, now: Date): Promise<string[]> {
  requireMember(viewer);
  const { rows } = await sql<{ reference: string }>`
    select reference from portfolio where id in ${heardBy(viewer.accountId, now)} order by id
  `.execute(database());
  return [`news:${viewer.accountId}`, ...rows.map(({ reference }) => `news-of:${reference}`)];
}

const isSilent = (chosen: readonly Chosen[]) => chosen.some(({ topic }) => topic === 'all');

/** Product §12: everything that a member chose to hear, by which way and when, for all portfolios and for each that they follow or are a member of; `ways` are the channels that the program has. Failure 'unauthorised' for a guest. */
export async function getNewsSettings(viewer: Viewer, ways: readonly ChannelName[], now: Date): Promise<NewsSettings> {
  requireMember(viewer);
  const { accountId } = viewer;
  const [owner, chosen, portfolios] = [
    await sql<Owner>`
      select news as "siteNews", case when email_confirmed then email end as email, exists (select 1 from mail_stop where address = lower(email)) as stopped, exists (select 1 from mail_stop where address = lower(email) and by_staff) as "stoppedByStaff", timezone_id as "timezoneId",
        quiet_from as "quietFrom", quiet_until as "quietUntil", digest_hour as "digestHour"
      from account left join news_hours on account_id = id where id = ${accountId} and deleted_at is null
    `.execute(database()),
    await sql<Chosen>`
      select coalesce(portfolio_id, 0) as "portfolioId", topic, channel, wanted from news_choice where account_id = ${accountId}
    `.execute(database()),
    await sql<{ id: number; reference: string; name: string }>`
      select id, reference, name from portfolio where visibility <> ${PortfolioVisibility.personal} and abandoned_at is null and id in ${heardBy(accountId, now)}
      order by lower(name), id
    `.execute(database()),
  ];
  const [own] = owner.rows;
  if (!own) throw new Failure('unauthorised', 'This account no longer exists. Sign in again.');
  const {
    siteNews,
    quietFrom = null,
    quietUntil = null,
    digestHour = null,
    email,
    stopped,
    stoppedByStaff,
    timezoneId,
  } = own;
  const of = (portfolioId: number) => chosen.rows.filter((each) => each.portfolioId === portfolioId);
  const general = of(0);
  return {
    silenced: isSilent(general),
    siteNews,
    choices: choicesOf(topics, general, []),
    hours: { quietFrom, quietUntil, digestHour },
    timeZone: zoneOf(timezoneId),
    mail: { address: email, stopped, stoppedByStaff },
    ways: [...ways],
    portfolios: portfolios.rows.map(({ id, reference, name }) => ({
      reference,
      name,
      silenced: isSilent(of(id)),
      choices: choicesOf(portfolioTopics, of(id), general),
    })),
  };
}

/** What the guid of a mail's link stands for: an account, and a portfolio where the mail was about one; null for a guid that no mail had. */
export async function findMailLink(guid: string): Promise<{ accountId: number; portfolioId: number | null } | null> {
  const { rows } = await sql<{ accountId: number; portfolioId: number | null }>`
    select account_id as "accountId", portfolio_id as "portfolioId" from mail_link where guid::text = lower(${guid})
    union all select account_id, portfolio_id from follow where unsubscribe_guid::text = lower(${guid}) limit 1
  `.execute(database());
  return rows[0] ?? null;
}

/** What the page of a mail's link shows: what it is about and what of it comes by mail. Failure 'missing' for a guid that no mail had. */
export async function getMailLink(guid: string, now: Date): Promise<MailLink> {
  const link = await findMailLink(guid);
  if (!link) throw new Failure('missing', 'This is not the link of a mail. Open the link at the foot of a mail again.');
  const { accountId, portfolioId } = link;
  const { rows: chosen } = await sql<Chosen>`
    select coalesce(portfolio_id, 0) as "portfolioId", topic, channel, wanted from news_choice
    where account_id = ${accountId} and (portfolio_id is null or portfolio_id = ${portfolioId}
      or ${portfolioId}::int is null and portfolio_id in ${heardBy(accountId, now)})
  `.execute(database());
  const { rows: hours } = await sql<{ daily: boolean }>`
    select digest_hour is not null as daily from news_hours where account_id = ${accountId}
  `.execute(database());
  const { rows: named } = await sql<{ reference: string; name: string }>`
    select reference, name from portfolio where id = ${portfolioId}
  `.execute(database());
  const general = chosen.filter((each) => each.portfolioId === 0);
  const own = chosen.filter((each) => each.portfolioId === (portfolioId ?? 0));
  const muted = chosen.flatMap((each) => (isSilent([each]) ? [each.portfolioId] : []));
  const silenced = isSilent(general);
  const ofOthers = portfolioId === null ? chosen.filter((each) => !muted.includes(each.portfolioId)) : [];
  const choices = choicesOf(portfolioId === null ? mailLinkTopics : portfolioTopics, own, general);
  const comes = (topic: Topic) =>
    !silenced &&
    !isSilent(own) &&
    [...choices, ...ofOthers].some((each) => each.topic === topic && each.channel === 'email' && each.wanted);
  return {
    portfolio: named[0] ?? null,
    tip: comes('tip'),
    post: comes('post'),
    settlement: comes('settlement'),
    fixture: comes('fixture'),
    staff: comes('staff'),
    daily: hours[0]?.daily ?? false,
    silenced,
  };
}
