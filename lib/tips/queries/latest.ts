import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { PortfolioVisibility, sports, TimeRange } from '@/lib/reference/schema';
import { everySport, minTipsToJudge, type StatisticsView } from '@/lib/stats/schema';
import { standingStatistics, type StoredSummary } from '@/lib/stats/rules';
import { isForMembers, type TipRecord, selectTips, tipOf } from './rows';
import type { TipView, TopTip } from '../schema';

// Short, because tips that have started leave these lists by the clock.
const ttlSeconds = 60;

/** SQL that holds for the tip of a portfolio that everybody may find. */
export const findable = sql`portfolio.visibility in (${PortfolioVisibility.public}, ${PortfolioVisibility.premium}) and portfolio.abandoned_at is null`;

/** Reads what a guest sees once for all guests; a member's own view, in which locked tips may be open, is read for that member. */
async function forGuests<T>(viewer: Viewer, key: string, read: () => Promise<T>): Promise<T> {
  return viewer.kind === 'guest' ? cached(key, ttlSeconds, ['tips', 'standings', 'portfolios'], read) : read();
}

/** The newest tips of the portfolios that anybody may find, newest first. */
export async function listLatestTips(viewer: Viewer, limit: number, now: Date): Promise<TipView[]> {
  return forGuests(viewer, `tips:latest:${limit}`, async () => {
    const { rows } = await selectTips(
      sql`where ${findable} order by tip.published_at desc, tip.id desc limit ${limit}`,
    ).execute(database());
    return rows.map((row) => tipOf(viewer, row, now));
  });
}

/**
 * Spec §2.6, today's top tips. Ours: of the tips that everybody may read and that start between `now` and `until`, to the minute, the next one of each
 * portfolio whose year has tips enough to judge and a profit at advised stakes, best yield first; each with that year. With `sportId` of tips with a leg of that sport.
 */
export async function listTopTips(
  viewer: Viewer,
  { until, limit, sportId }: { until: Date; limit: number; sportId?: number },
  now: Date,
): Promise<TopTip[]> {
  const ofSport =
    sportId === undefined
      ? sql`true`
      : sql`exists (select 1 from jsonb_array_elements(tip.publication -> 'legs') leg where leg -> 'details' ->> 'sport' = ${sports.find(({ id }) => id === sportId)?.reference ?? ''})`;
  const listed = await forGuests(
    viewer,
    `tips:top:${until.toISOString().slice(0, 16)}:${limit}:${sportId ?? everySport}`,
    async () => {
      const { rows } = await sql<{ tipId: number; summary: StoredSummary | StatisticsView }>`
      select next.id as "tipId", standing.summary
      from (
        select distinct on (portfolio.id) tip.id, portfolio.id as portfolio_id
        from open_tip join tip on tip.id = open_tip.tip_id join portfolio on portfolio.id = tip.portfolio_id
        where ${findable} and tip.first_starts_at > ${now} and tip.first_starts_at <= ${until} and not tip.hidden
          and not ${isForMembers} and not exists (select 1 from tip_settlement where tip_id = tip.id) and ${ofSport}
        order by portfolio.id, tip.first_starts_at, tip.id
      ) next
      join portfolio_standing standing on standing.portfolio_id = next.portfolio_id
      where standing.sport_id = ${everySport} and standing.period = ${TimeRange.year} and standing.tips >= ${minTipsToJudge} and standing.yield_advised > 0
      order by standing.yield_advised desc, standing.portfolio_id limit ${limit}
    `.execute(database());
      const records = await selectTips(sql`where tip.id = any(${rows.map(({ tipId }) => tipId)}::int[])`).execute(
        database(),
      );
      const tips = new Map<number, TipRecord>(records.rows.map((record) => [record.id, record]));
      return rows.flatMap(({ tipId, summary }): TopTip[] => {
        const record = tips.get(tipId);
        return record ? [{ tip: tipOf(viewer, record, now), year: standingStatistics(summary, TimeRange.year) }] : [];
      });
    },
  );
  return listed.filter(({ tip }) => Date.parse(tip.firstStartsAt) > now.getTime());
}
