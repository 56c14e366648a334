import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { isoText } from '@/lib/platform/iso-text';
import type { Profit } from '../rules/curve';
import type { StakePlan } from '../schema/rollups';

/** What each settled tip of a portfolio came to at these stakes, by its newest settlement, in the order of the first. */
export async function readProfits(portfolioId: number, plan: StakePlan): Promise<Profit[]> {
  const { rows } = await sql<{ publishedAt: string; settledAt: string; profit: string | null }>`
    select ${isoText(sql`tip.published_at`)} as "publishedAt", ${isoText(sql`first.settled_at`)} as "settledAt",
      case when latest.staked_hundredths > 0 then (${plan === 'advised' ? sql.ref('latest.profit_microunits') : sql.ref('latest.level_profit_microunits')})::text end as profit
    from tip
    join tip_settlement first on first.tip_id = tip.id and first.version = 1
    join lateral (select * from tip_settlement settled where tip_id = tip.id order by version desc limit 1) latest on true
    where tip.portfolio_id = ${portfolioId}
    order by first.ordinal
  `.execute(database());
  return rows.map(({ profit, ...moments }) => ({
    ...moments,
    profitMicrounits: profit === null ? null : BigInt(profit),
  }));
}
