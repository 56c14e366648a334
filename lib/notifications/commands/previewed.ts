import 'server-only';
import { sql } from 'kysely';
import { readersByPro } from '@/lib/accounts/queries';
import type { EventKind } from '@/lib/events/schema';
import { arrayOf, database } from '@/lib/platform/database';
import { isWanted } from '../queries/wanted';
import type { ChannelName } from '../schema/messages';
import { topicOfKind } from '../schema/settings';
import { offeredChannels } from './registry';

/** Events of a kind that would be written: how many, about which portfolio or which watched fixture. */
export type WouldTell = { kind: EventKind; count: number } & ({ portfolioId: number } | { fixtureId: number });

/** Who would be told of events of a kind: how many events, how many people by whichever way, and how many by each. */
type PreviewedNews = {
  kind: EventKind;
  events: number;
  people: number;
  ways: { channel: ChannelName; people: number }[];
};

type Row = { channel: ChannelName | null; people: number };

/** Product §12: whom events would reach by which ways if they were written now, by what each of them wants and can be reached by; as `spreadNews` would put it down. Nothing is written. */
export async function previewNews(would: readonly WouldTell[], now: Date): Promise<PreviewedNews[]> {
  const kinds = [...new Set(would.map(({ kind }) => kind))];
  const previewed: PreviewedNews[] = [];
  for (const kind of kinds) {
    const own = would.filter((each) => each.kind === kind);
    const rows = await readReached(own, kind, now);
    previewed.push({
      kind,
      events: own.reduce((sum, { count }) => sum + count, 0),
      people: rows.find(({ channel }) => channel === null)?.people ?? 0,
      ways: rows.flatMap(({ channel, people }) => (channel === null ? [] : [{ channel, people }])),
    });
  }
  return previewed;
}

async function readReached(would: readonly WouldTell[], kind: EventKind, now: Date): Promise<Row[]> {
  const channels = offeredChannels();
  const reach = sql.join(
    channels.map(({ channel, reach: own }) => sql`when ${channel} then ${own}`),
    sql` `,
  );
  const portfolios = arrayOf(would.flatMap((each) => ('portfolioId' in each ? each.portfolioId : [])));
  const fixtures = arrayOf(would.flatMap((each) => ('fixtureId' in each ? each.fixtureId : [])));
  const { rows } = await sql<Row>`
    with audience as (
      select portfolio_id, account_id from membership where portfolio_id = any(${portfolios}::int[]) and starts_at <= ${now} and ends_at > ${now}
      union select portfolio_id, account_id from ${readersByPro(now)} by_pro where portfolio_id = any(${portfolios}::int[])
      union select portfolio_id, account_id from follow where portfolio_id = any(${portfolios}::int[])
      union select null, account_id from fixture_watch where fixture_id = any(${fixtures}::int[])
    )
    select channel, count(distinct account.id)::int as people
    from audience join account on account.id = audience.account_id
    cross join unnest(${['app', ...channels.map(({ channel }) => channel)]}::text[]) as way (channel)
    where account.deleted_at is null and not account.demo and (case channel when 'app' then true ${reach} else false end)
      and ${isWanted(sql`${topicOfKind[kind]}::text`, sql`way.channel`, sql`audience.portfolio_id`, now)}
    group by grouping sets ((channel), ()) order by channel
  `.execute(database());
  return rows;
}
