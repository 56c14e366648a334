import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { CurrencyId, PortfolioVisibility, TimeRange } from '@/lib/reference/schema';
import { namedSpeciality, type SpecialityKey } from '../rules/sketch';
import { standingStatistics, type StoredSummary } from '../rules/stored-standing';
import {
  ComparedPortfolios,
  type ComparisonFilter,
  ComparisonOrder,
  Direction,
  defaultComparisonFilter,
  everySport,
  FilterType,
  openComparisonFilter,
} from '../schema/comparison';
import type { ComparisonPage, ComparedPortfolio } from '../schema/compared';
import type { StatisticsView } from '../schema/views';

/** Spec §9: the comparison is kept for seven and a half minutes; settlement drops it at once. */
export const comparisonTtlSeconds = 450;

/** Ours: portfolios on a page of the comparison. */
export const comparisonPageSize = 25;

const kindsOf = ({ portfolioType }: ComparisonFilter): number[] =>
  portfolioType === ComparedPortfolios.any
    ? [PortfolioVisibility.public, PortfolioVisibility.premium]
    : [portfolioType];

function orderOf({ order, direction, filterType }: ComparisonFilter) {
  const level = filterType === FilterType.levelStakes;
  const column = {
    [ComparisonOrder.profit]: level ? sql`profit_level` : sql`profit_advised`,
    [ComparisonOrder.yield]: level ? sql`yield_level` : sql`yield_advised`,
    [ComparisonOrder.tips]: sql`tips`,
    [ComparisonOrder.strikeRate]: sql`strike_rate`,
    [ComparisonOrder.averageOdds]: sql`average_odds`,
    [ComparisonOrder.drawdown]: level ? sql`drawdown_level` : sql`drawdown_advised`,
    [ComparisonOrder.clv]: sql`clv`,
    [ComparisonOrder.followers]: sql`coalesce(popularity.followers, 0)`,
    [ComparisonOrder.followerProfit]: level ? sql`follower_profit_level` : sql`follower_profit_advised`,
    [ComparisonOrder.followerYield]: level ? sql`follower_yield_level` : sql`follower_yield_advised`,
    [ComparisonOrder.stillThere]: sql`still_there`,
    [ComparisonOrder.name]: sql`lower(portfolio.name)`,
  }[order];
  const smallestIsBest = order === ComparisonOrder.drawdown || order === ComparisonOrder.name;
  const smallestFirst = smallestIsBest === (direction === Direction.bestFirst);
  return smallestFirst ? sql`${column} nulls last` : sql`${column} desc nulls last`;
}

// The plan on sale that costs least a month, in the main currency; 5 is the yen, which has no smaller unit.
const cheapest = (portfolio: RawBuilder<unknown>) => sql`(
  select currency_id as "currencyId", ceil(amount_minor * case period when 'week' then 52 / 12.0 when 'quarter' then 1 / 3.0 when 'year' then 1 / 12.0 else 1 end)::int as "monthMinor"
  from plan join plan_price on plan_id = plan.id join portfolio_sale sale on sale.portfolio_id = plan.portfolio_id and currency_id = main_currency_id
  where plan.portfolio_id = ${portfolio} and on_sale order by 2 limit 1)`;

/** Spec §3, product §7: the portfolios that pass the filter, in its order, a page at a time, from the standings alone. */
export async function comparePortfolios(_viewer: Viewer, filter: ComparisonFilter): Promise<ComparisonPage> {
  return compare(filter, { featuredFirst: false });
}

async function compare(filter: ComparisonFilter, choice: { featuredFirst: boolean }): Promise<ComparisonPage> {
  const key = `comparison:${JSON.stringify({ ...filter, ...choice })}`;
  return cached(key, comparisonTtlSeconds, ['standings', 'portfolios'], async () => {
    const level = filter.filterType === FilterType.levelStakes;
    const order = choice.featuredFirst
      ? sql`exists (select from portfolio_feature where portfolio_feature.portfolio_id = standing.portfolio_id) desc, ${orderOf(filter)}`
      : orderOf(filter);
    // What passes is found without the summaries, which are read for one page only.
    const { rows } = await sql<
      Omit<ComparedPortfolio, 'createdAt' | 'statistics' | 'speciality'> & {
        createdAt: Date;
        speciality: SpecialityKey | null;
        league: string | null;
        summary: StoredSummary | StatisticsView;
        total: string;
      }
    >`
      with page as (
        select standing.portfolio_id as id, count(*) over () as total
        from portfolio_standing standing
        join portfolio on portfolio.id = standing.portfolio_id
        left join portfolio_followers popularity on popularity.portfolio_id = standing.portfolio_id
        where standing.sport_id = ${filter.sportId} and standing.period = ${filter.period} and portfolio.abandoned_at is null
          and portfolio.visibility = any(${kindsOf(filter)}::smallint[]) and tips >= ${filter.tips}
          and average_odds >= ${filter.minOdds} ${filter.maxOdds < openComparisonFilter.maxOdds ? sql`and average_odds <= ${filter.maxOdds}` : sql``}
          and (${filter.profit}::float8 = 0 or ${level ? sql`profit_level` : sql`profit_advised`} >= ${filter.profit})
          and (${filter.roi}::float8 = 0 or ${level ? sql`yield_level` : sql`yield_advised`} >= ${filter.roi})
          and (${filter.followerRoi}::float8 = 0 or ${level ? sql`follower_yield_level` : sql`follower_yield_advised`} >= ${filter.followerRoi})
          and (${filter.stillThere}::float8 = 0 or still_there >= ${filter.stillThere})
          and (${filter.maxPrice}::float8 = 0 or exists (select from ${cheapest(sql`portfolio.id`)} price
            where "monthMinor" <= ${filter.maxPrice}::float8 * case when "currencyId" = ${CurrencyId.JPY} then 1 else 100 end and portfolio.visibility = ${PortfolioVisibility.premium}))
        order by ${order}, standing.portfolio_id
        limit ${comparisonPageSize} offset ${(filter.page - 1) * comparisonPageSize}
      )
      select portfolio.id, portfolio.reference, portfolio.visibility as type, portfolio.name, account.username as owner, portfolio.tipledger_pro as "tipledgerPro",
        portfolio.demo, portfolio.created_at as "createdAt", summary, coalesce(popularity.followers, 0) as followers, total, portfolio.picture,
        case when portfolio.visibility = ${PortfolioVisibility.premium} then (select to_jsonb(price) from ${cheapest(sql`portfolio.id`)} price) end as price,
        coalesce(sketch.curves #> ${sql.lit(`{${filter.period},${level ? 'level' : 'advised'}}`)}, '[]') as curve, coalesce(sketch.form, '') as form,
        whole.speciality, league.name as league
      from page
      join portfolio on portfolio.id = page.id
      join account on account.id = portfolio.owner_id
      join portfolio_standing standing on standing.portfolio_id = page.id and standing.sport_id = ${filter.sportId} and standing.period = ${filter.period}
      left join portfolio_followers popularity on popularity.portfolio_id = page.id
      left join portfolio_sketch sketch on sketch.portfolio_id = page.id and sketch.sport_id = ${filter.sportId}
      left join portfolio_sketch whole on whole.portfolio_id = page.id and whole.sport_id = ${everySport}
      left join league on whole.speciality ->> 'kind' = 'league' and league.id::text = whole.speciality ->> 'key'
      order by ${order}, page.id
    `.execute(database());
    // A page past the last has no row to tell how many pass.
    const total =
      rows.length === 0 && filter.page > 1
        ? (await compare({ ...filter, page: 1 }, choice)).total
        : Number(rows[0]?.total ?? 0);
    return {
      items: rows.map(({ total: _total, createdAt, summary, speciality, league, ...row }) => ({
        ...row,
        speciality: speciality && namedSpeciality(speciality, league),
        createdAt: createdAt.toISOString(),
        statistics: standingStatistics(summary, filter.period),
      })),
      total,
      page: filter.page,
      pageSize: comparisonPageSize,
    };
  });
}

const listed = 12;

/** Ours: the portfolios recommended for a sport or over all: of those with a record long enough to judge, the best yields of the past year at advised stakes; those that staff feature stand first among them. */
export async function listRecommended(
  _viewer: Viewer,
  { sportId = everySport }: { sportId?: number | undefined },
): Promise<ComparedPortfolio[]> {
  const filter = {
    ...defaultComparisonFilter,
    sportId,
    portfolioType: ComparedPortfolios.any,
    period: TimeRange.year,
    order: ComparisonOrder.yield,
  };
  return (await compare(filter, { featuredFirst: true })).items.slice(0, listed);
}

/** The most followed portfolios that anybody may find, with their statistics of the past year; a record of one tip is enough. */
export async function listMostPopular(viewer: Viewer): Promise<ComparedPortfolio[]> {
  const filter = { ...openComparisonFilter, order: ComparisonOrder.followers };
  return (await comparePortfolios(viewer, filter)).items.slice(0, listed);
}
