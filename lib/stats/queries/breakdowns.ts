import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { breakdownIn } from '../rules/stored-rollup';
import { type Breakdown, type BreakdownKind, breakdownKinds } from '../schema/rollups';

/** The nine breakdowns of a record. */
export type Breakdowns = Record<BreakdownKind, Breakdown>;

type BucketRow = {
  kind: BreakdownKind;
  key: string;
  tips: number;
  voids: number;
  won: number;
  odds: string;
  staked: string;
  profit: string;
  levelStaked: string;
  levelProfit: string;
  clvs: number;
  clv: string;
  noVigClvs: number;
  noVigClv: string;
};

/** The breakdowns of the days of a portfolio from `first`, or from its beginning, to `last`; the database adds them up, so that no day is read. */
export async function readBreakdowns(
  portfolioId: number,
  { first, last }: { first: string | null; last: string },
): Promise<Breakdowns> {
  const sum = (path: string) => sql`sum((totals #>> ${sql.lit(path)})::numeric)::text`;
  const count = (path: string) => sql`sum((totals #>> ${sql.lit(path)})::int)::int`;
  const { rows } = await sql<BucketRow>`
    select kind, key, ${count('{tips}')} as tips, ${count('{voids}')} as voids, ${count('{won}')} as won, ${sum('{oddsMillionths}')} as odds,
      ${sum('{advised,stakedHundredths}')} as staked, ${sum('{advised,profitMicrounits}')} as profit,
      ${sum('{level,stakedHundredths}')} as "levelStaked", ${sum('{level,profitMicrounits}')} as "levelProfit",
      ${count('{clv,count}')} as clvs, ${sum('{clv,sumBillionths}')} as clv,
      ${count('{noVigClv,count}')} as "noVigClvs", ${sum('{noVigClv,sumBillionths}')} as "noVigClv"
    from portfolio_day, jsonb_each(breakdowns) as one (kind, buckets), jsonb_each(buckets) as bucket (key, totals)
    where portfolio_id = ${portfolioId} and day <= ${last}::date and (${first}::date is null or day >= ${first}::date)
    group by kind, key order by min(day), key
  `.execute(database());
  const stored = (row: BucketRow) => ({
    tips: row.tips,
    voids: row.voids,
    won: row.won,
    oddsMillionths: row.odds,
    advised: { stakedHundredths: row.staked, profitMicrounits: row.profit },
    level: { stakedHundredths: row.levelStaked, profitMicrounits: row.levelProfit },
    clv: { count: row.clvs, sumBillionths: row.clv },
    noVigClv: { count: row.noVigClvs, sumBillionths: row.noVigClv },
  });
  return Object.fromEntries(
    breakdownKinds.map((kind) => [
      kind,
      breakdownIn(Object.fromEntries(rows.flatMap((row) => (row.kind === kind ? [[row.key, stored(row)]] : [])))),
    ]),
  ) as Breakdowns;
}
