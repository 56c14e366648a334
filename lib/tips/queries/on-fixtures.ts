import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { type MarketKind } from '@/lib/fixtures/schema';
import { cached, reads } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { TimeRange } from '@/lib/reference/schema';
import { standingStatistics, type StoredSummary } from '@/lib/stats/rules';
import { everySport, minTipsToJudge, type StatisticsView } from '@/lib/stats/schema';
import { type BackedRow, fixtureTipsOf } from '../rules/on-fixture';
import type { FixtureTip, FixtureTips } from '../schema';
import { findable } from './latest';
import { isForMembers, isOpenToAll, selectTips, tipOf } from './rows';

// Short, because locked tips open by the clock.
const ttlSeconds = 60;

/** SQL that gives why everybody but its members does not see the legs of a tip, as `legsLock` says of a guest; null where they do. */
const lockAt = (now: Date): RawBuilder<string | null> => sql`case when not ${isOpenToAll(now)} then
  case when ${isForMembers} then 'members' else 'hidden' end end`;

/** SQL that holds for a tip with a leg on one of the fixtures. */
const isOn = (fixtureIds: readonly number[]) =>
  sql`tip.id in (select tip_id from tip_leg where fixture_id = any(${[...fixtureIds]}::int[]))`;

type Listed = { tipId: number; portfolioReference: string; summary: StoredSummary | StatisticsView | null };

async function readListed(
  viewer: Viewer,
  chosen: RawBuilder<unknown>,
  limit: number,
  now: Date,
): Promise<FixtureTip[]> {
  const { rows } = await sql<Listed>`
    select tip.id as "tipId", portfolio.reference as "portfolioReference", standing.summary
    from tip join portfolio on portfolio.id = tip.portfolio_id
    left join portfolio_standing standing on standing.portfolio_id = portfolio.id and standing.sport_id = ${everySport} and standing.period = ${TimeRange.year}
    where ${chosen} and ${findable} and ${isOpenToAll(now)}
    order by coalesce(standing.tips, 0) >= ${minTipsToJudge} desc, standing.yield_advised desc nulls last, tip.published_at desc, tip.id desc
    limit ${limit}
  `.execute(database());
  if (rows.length === 0) return [];
  reads(
    rows.map(({ portfolioReference }) => `portfolio:${portfolioReference}`),
    ttlSeconds,
  );
  const { rows: records } = await selectTips(sql`where tip.id = any(${rows.map(({ tipId }) => tipId)}::int[])`).execute(
    database(),
  );
  const tips = new Map(records.map((record) => [record.id, tipOf(viewer, record, now)]));
  return rows.flatMap(({ tipId, summary }): FixtureTip[] => {
    const tip = tips.get(tipId);
    return tip?.lock === null ? [{ tip, year: summary && standingStatistics(summary, TimeRange.year) }] : [];
  });
}

/** What is counted of a fixture's tips: locked ones without their selections. */
async function readBacked(fixtureId: number, now: Date): Promise<BackedRow[]> {
  const { rows } = await sql<BackedRow & { kind: MarketKind | null }>`
    with own as materialized (
      select tip.id, ${lockAt(now)} as lock, leg.selection_id, leg.position
      from tip_leg leg join tip on tip.id = leg.tip_id join portfolio on portfolio.id = tip.portfolio_id
      where leg.fixture_id = ${fixtureId} and ${findable}
    ), counted as (
      select lock, case when lock is null then selection_id end as selection_id, settled.legs -> (own.position - 1) ->> 'outcome' as outcome,
        count(*)::int as tips, count(*) filter (where settled.single)::int as singles,
        coalesce(sum(settled.profit_microunits) filter (where settled.single), 0)::text as profit, coalesce(sum(settled.staked_hundredths) filter (where settled.single), 0)::int as staked
      from own
      left join lateral (
        select legs, profit_microunits, staked_hundredths, jsonb_array_length(legs) = 1 as single from tip_settlement where tip_id = own.id and lock is null order by version desc limit 1
      ) settled on true
      group by 1, 2, 3
    )
    select lock, counted.selection_id as "selectionId", market.id as "marketId", market.kind, market.line_hundredths as "lineHundredths", market.period, selection.key, selection.name,
      outcome, tips, singles, profit, staked
    from counted
    left join selection on selection.id = counted.selection_id
    left join market on market.id = selection.market_id
    order by market.id, selection.position
  `.execute(database());
  return rows;
}

/** The tips on a fixture that everybody may read, those of the best past years first, at most `limit` of them; how many more there are, locked ones by number alone; what they back and what came of it. */
export async function listTipsOnFixture(
  viewer: Viewer,
  { id, reference, sportReference }: { id: number; reference: string; sportReference: string },
  limit: number,
  now: Date,
): Promise<FixtureTips> {
  const read = async () =>
    fixtureTipsOf(await readListed(viewer, isOn([id]), limit, now), await readBacked(id, now), sportReference);
  const tags = [`tips-on:${reference}`, `fixture:${reference}`];
  return viewer.kind === 'guest' ? cached(`tips-on:${reference}:${limit}`, ttlSeconds, tags, read) : read();
}

/** The tips with a leg on any of the fixtures that everybody may read and whose first start is to come, those of the best past years first. */
export async function listOpenTipsOn(
  viewer: Viewer,
  fixtures: readonly { id: number; reference: string }[],
  limit: number,
  now: Date,
): Promise<FixtureTip[]> {
  if (fixtures.length === 0) return [];
  const ids = fixtures.map(({ id }) => id);
  const read = () => readListed(viewer, sql`${isOn(ids)} and tip.first_starts_at > ${now}`, limit, now);
  const tags = fixtures.map(({ reference }) => `tips-on:${reference}`);
  return viewer.kind === 'guest' ? cached(`tips-on:${ids.join()}:${limit}`, ttlSeconds, tags, read) : read();
}
