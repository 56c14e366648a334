import { type RawBuilder, sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { comparisonPageSize } from '@/lib/stats/queries';
import { windowOf } from '@/lib/stats/rules';
import {
  ComparedPortfolios,
  type ComparisonFilter,
  ComparisonOrder,
  everySport,
  FilterType,
  openComparisonFilter,
} from '@/lib/stats/schema';

/** A page of the comparison as far as the scan knows it. */
export type Found = { ids: number[]; total: number };

// What needs a walk over each portfolio's tips, or a closing price for each leg, is left out: the scan is slower with it.
const orders: Partial<Record<ComparisonOrder, RawBuilder<unknown>>> = {
  [ComparisonOrder.profit]: sql`profit desc`,
  [ComparisonOrder.yield]: sql`yield desc nulls last`,
  [ComparisonOrder.tips]: sql`tips desc`,
  [ComparisonOrder.strikeRate]: sql`strike_rate desc nulls last`,
  [ComparisonOrder.averageOdds]: sql`average_odds desc nulls last`,
  [ComparisonOrder.followers]: sql`followers desc`,
};

/** The comparison reckoned from the settled tips themselves in one statement, as if nothing had been kept of them; the tips have two legs at most and none was settled anew. */
export async function comparePlainly(filter: ComparisonFilter, now: Date): Promise<Found> {
  const order = orders[filter.order];
  if (!order) throw new RangeError(`The plain scan does not order by ${filter.order}.`);
  const { from, until } = windowOf(filter.period, now);
  const level = filter.filterType === FilterType.levelStakes;
  const [profit, staked] = level
    ? [sql`level_profit_microunits`, sql`level_staked_hundredths`]
    : [sql`profit_microunits`, sql`staked_hundredths`];
  const kinds =
    filter.portfolioType === ComparedPortfolios.any
      ? [PortfolioVisibility.public, PortfolioVisibility.premium]
      : [filter.portfolioType];
  const { rows } = await sql<{ id: number; total: number }>`
    with settled as (
      select tip.portfolio_id, ${profit} as profit, ${staked} as staked, profit_microunits > 0 as won, first.odds_thousandths::bigint * coalesce(second.odds_thousandths, 1000) as odds
      from tip_settlement join tip on tip.id = tip_settlement.tip_id
      join tip_leg first on first.tip_id = tip.id and first.position = 1
      left join tip_leg second on second.tip_id = tip.id and second.position = 2
      join fixture on fixture.id = first.fixture_id join league on league.id = fixture.league_id
      where staked_hundredths > 0 and settled_at <= ${until} and (${from}::timestamptz is null or settled_at >= ${from}::timestamptz)
        and (${filter.sportId}::int = ${everySport} or league.sport_id = ${filter.sportId})
    ), records as (
      select portfolio_id, count(*) as tips, round(sum(profit) / 10000) / 100 as profit, round(sum(profit) / (100 * sum(staked)), 4) as yield,
        round(100.0 * count(*) filter (where won) / count(*), 4) as strike_rate, round(sum(odds) / (1000000.0 * count(*)), 4) as average_odds
      from settled group by portfolio_id
    )
    select portfolio.id, (count(*) over ())::int as total, (select count(*) from follow where follow.portfolio_id = portfolio.id) as followers
    from records join portfolio on portfolio.id = records.portfolio_id
    where portfolio.abandoned_at is null and visibility = any(${kinds}::int[]) and tips >= ${filter.tips} and average_odds >= ${filter.minOdds}
      and (${filter.maxOdds}::numeric >= ${openComparisonFilter.maxOdds}::numeric or average_odds <= ${filter.maxOdds})
      and (${filter.profit}::numeric = 0 or profit >= ${filter.profit}) and (${filter.roi}::numeric = 0 or yield >= ${filter.roi})
    order by ${order}, portfolio.id limit ${comparisonPageSize} offset ${(filter.page - 1) * comparisonPageSize}
  `.execute(database());
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
}
