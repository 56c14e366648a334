import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { readersByPro } from '@/lib/accounts/queries';
import { isPaused } from '@/lib/pauses/queries';
import type { ChannelName } from '../schema/messages';
import { alwaysWanted, defaultWanted, pausedTopics, topicOfKind } from '../schema/settings';

const listed = (pairs: readonly (readonly [string, string])[]) =>
  sql.join(pairs.map(([name, other]) => sql`(${name}::text, ${other}::text)`));

const pairsOf = (wanted: Partial<Record<string, readonly ChannelName[]>>) =>
  Object.entries(wanted).flatMap(([topic, channels = []]) => channels.map((channel) => [topic, channel] as const));

const always = () => listed(pairsOf(alwaysWanted));
const byDefault = () => listed(pairsOf(defaultWanted));

/** SQL that gives the topic of an `event`. */
export const topicOfEvent = (): RawBuilder<string> =>
  sql`(select topic from (values ${listed(Object.entries(topicOfKind))}) as falls (kind, topic) where falls.kind = event.kind)`;

/**
 * SQL that holds where an `account` wants to hear of a topic of a portfolio (null for none) by a channel: by what it chose for the portfolio, else for
 * all, else by the site's own choice; of tips and matches nothing during a break from betting. Columns are given with the name of their table: what is chosen has columns of the same names.
 */
export function isWanted(
  topic: RawBuilder<unknown>,
  channel: RawBuilder<unknown>,
  portfolioId: RawBuilder<unknown>,
  now: Date,
): RawBuilder<boolean> {
  const chosen = (portfolio: RawBuilder<unknown>) => sql`(select chosen.wanted from news_choice chosen
    where chosen.account_id = account.id and coalesce(chosen.portfolio_id, 0) = ${portfolio} and chosen.topic = ${topic} and chosen.channel = ${channel})`;
  const of = sql`coalesce(${portfolioId}, 0)`;
  const stopped = sql`(${topic} = any(${[...pausedTopics]}::text[]) and ${isPaused(sql`account.id`, now)})`;
  return sql<boolean>`((${topic}, ${channel}) in (${always()}) or (not ${stopped} and
    not exists (select 1 from news_choice silence where silence.account_id = account.id and silence.topic = 'all' and coalesce(silence.portfolio_id, 0) in (0, ${of}))
    and coalesce(${chosen(of)}, ${chosen(sql`0`)}, (${topic}, ${channel}) in (${byDefault()}))))`;
}

/** SQL that holds for an `account` that an `event` is for: it concerns it, or it is a member (by Pro too) or follower of the portfolio, or watches the fixture. */
export const isFor = (now: Date): RawBuilder<boolean> => sql<boolean>`(case
  when event.account_id is not null then event.account_id = account.id
  when event.fixture_id is not null then exists (select 1 from fixture_watch watch where watch.fixture_id = event.fixture_id and watch.account_id = account.id)
  else exists (select 1 from follow where follow.portfolio_id = event.portfolio_id and follow.account_id = account.id)
    or exists (select 1 from membership where membership.portfolio_id = event.portfolio_id and membership.account_id = account.id and starts_at <= ${now} and ends_at > ${now})
    or exists (select 1 from ${readersByPro(now)} by_pro where by_pro.portfolio_id = event.portfolio_id and by_pro.account_id = account.id)
  end)`;
