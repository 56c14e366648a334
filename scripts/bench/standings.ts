import cliProgress from 'cli-progress';
import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import { TimeRange } from '@/lib/reference/schema';
import { foldSettledTips, computeStandings } from '@/lib/stats/commands';
import { recordDay, windowOf } from '@/lib/stats/rules';
import { everySport } from '@/lib/stats/schema';
import { benchNow } from './settled-tips';

/** Folds so many of the portfolios by the commands of settlement, evenly spread over the large and the small; returns how many tips they held and how long it took. */
export async function foldPortfolios(count: number, portfolios: number): Promise<{ tips: number; seconds: number }> {
  const bar = new cliProgress.SingleBar(
    {
      format: '  {bar} {percentage}% · {value}/{total} portfolios · {eta_formatted} left',
      noTTYOutput: true,
      notTTYSchedule: 30_000,
      stream: process.stderr,
    },
    cliProgress.Presets.shades_classic,
  );
  let tips = 0;
  const start = performance.now();
  bar.start(count, 0);
  try {
    for (let done = 0; done < count; done += 1) {
      const portfolioId = 1 + Math.floor(((done + 0.5) * portfolios) / count);
      const { rows } = await sql<{ id: number }>`select id from tip where portfolio_id = ${portfolioId}`.execute(
        database(),
      );
      await transact(() =>
        foldSettledTips(
          rows.map(({ id }) => id),
          benchNow,
          { standings: false },
        ),
      );
      await transact(() => computeStandings([portfolioId], benchNow));
      tips += rows.length;
      bar.update(done + 1);
    }
  } finally {
    bar.stop();
  }
  await sql`analyze`.execute(database());
  return { tips, seconds: (performance.now() - start) / 1000 };
}

/**
 * Reckons the standings of all other portfolios in one statement: the figures that a scan gives, with the drawdown that the loss alone
 * makes certain, no closing line value, and for a summary one of those that were reckoned, so that rows have the size of real ones.
 */
export async function scanStandings(): Promise<void> {
  const windows = Object.values(TimeRange).map((period) => ({ period, ...windowOf(period, benchNow) }));
  await transact(async () => {
    await sql`set local statement_timeout = 0`.execute(database());
    await sql`
      with settled as (
        select tip.portfolio_id, league.sport_id, settled_at, profit_microunits > 0 as won, staked_hundredths as staked, profit_microunits as profit, level_staked_hundredths as level_staked,
          level_profit_microunits as level_profit, first.odds_thousandths::bigint * coalesce(second.odds_thousandths, 1000) as odds
        from tip_settlement join tip on tip.id = tip_settlement.tip_id
        join tip_leg first on first.tip_id = tip.id and first.position = 1
        left join tip_leg second on second.tip_id = tip.id and second.position = 2
        join fixture on fixture.id = first.fixture_id join league on league.id = fixture.league_id
        where staked_hundredths > 0 and not exists (select 1 from portfolio_standing where portfolio_standing.portfolio_id = tip.portfolio_id)
      ), records as (
        select portfolio_id, compared.sport_id, period, count(*) as tips, count(*) filter (where won) as won, sum(odds) as odds, sum(profit) as profit, sum(staked) as staked,
          sum(level_profit) as level_profit, sum(level_staked) as level_staked
        from settled
        join unnest(${windows.map(({ period }) => period)}::int[], ${windows.map(({ from }) => from)}::timestamptz[]) as span (period, since) on since is null or settled_at >= since
        cross join lateral (values (${everySport}::int), (settled.sport_id::int)) as compared (sport_id)
        group by portfolio_id, compared.sport_id, period
      ), samples as (
        select period, array_agg(summary order by portfolio_id, sport_id) as summaries from portfolio_standing group by period
      )
      insert into portfolio_standing (portfolio_id, sport_id, period, as_of, tips, won, average_odds, strike_rate, profit_advised, yield_advised, drawdown_advised, profit_level, yield_level, drawdown_level, summary)
      select portfolio_id, sport_id, records.period, ${recordDay(benchNow)}::date, tips, won, round(odds / (1000000.0 * tips), 4), round(100.0 * won / tips, 4),
        round(profit / 10000) / 100, round(profit / (100 * staked), 4), greatest(0, round(-profit / 10000) / 100),
        round(level_profit / 10000) / 100, round(level_profit / (100 * level_staked), 4), greatest(0, round(-level_profit / 10000) / 100), summaries[1 + portfolio_id % cardinality(summaries)]
      from records join samples on samples.period = records.period
    `.execute(database());
  });
  await sql`analyze`.execute(database());
}
