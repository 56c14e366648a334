import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { baseIn, type StandingBase, type StoredBase } from '../rules/stored-standing';
import { rollupIn, type StoredRollup } from '../rules/stored-rollup';
import type { Rollup } from '../schema/rollups';

/** The days of a portfolio in one sport, or in all (0), in their order. */
export type SportDays = { portfolioId: number; sportId: number; days: { day: string; rollup: Rollup }[] };

/** The stored days of portfolios, sport by sport. */
export async function readDaysBySport(portfolioIds: readonly number[]): Promise<SportDays[]> {
  const { rows } = await sql<{ portfolioId: number; sportId: number; day: string; rollup: StoredRollup }>`
    select portfolio_id as "portfolioId", sport_id as "sportId", day::text, rollup from portfolio_day_sport
    where portfolio_id = any(${[...portfolioIds]}::int[]) order by portfolio_id, sport_id, day
  `.execute(database());
  const groups: SportDays[] = [];
  for (const { portfolioId, sportId, day, rollup } of rows) {
    let group = groups.at(-1);
    if (group?.portfolioId !== portfolioId || group.sportId !== sportId)
      groups.push((group = { portfolioId, sportId, days: [] }));
    group.days.push({ day, rollup: rollupIn(rollup) });
  }
  return groups;
}

/** As `readDaysBySport`, without the bets, which no standing shows and which take longest to add up. */
export async function readStandingDays(portfolioIds: readonly number[]): Promise<SportDays[]> {
  const groups = await readDaysBySport(portfolioIds);
  return groups.map(({ days, ...group }) => ({
    ...group,
    days: days.map(({ day, rollup }) => ({ day, rollup: { ...rollup, bets: {} } })),
  }));
}

/** What is kept for the standings of portfolios on a day to go on from, by portfolio and sport; a portfolio for which nothing is kept is not in it. */
export async function readStandingBases(
  portfolioIds: readonly number[],
  day: string,
): Promise<Map<number, Map<number, StandingBase>>> {
  const { rows } = await sql<{ portfolioId: number; sportId: number; sums: StoredBase }>`
    select portfolio_id as "portfolioId", sport_id as "sportId", sums from standing_base where portfolio_id = any(${[...portfolioIds]}::int[]) and day = ${day}::date
  `.execute(database());
  const bases = new Map<number, Map<number, StandingBase>>();
  for (const { portfolioId, sportId, sums } of rows) {
    const own = bases.get(portfolioId) ?? new Map<number, StandingBase>();
    bases.set(portfolioId, own.set(sportId, baseIn(sums)));
  }
  return bases;
}

/** What was settled on a day in portfolios, sport by sport, for their standings: without the bets. */
export async function readDayBySport(
  portfolioIds: readonly number[],
  day: string,
): Promise<{ portfolioId: number; sportId: number; rollup: Rollup }[]> {
  const { rows } = await sql<{ portfolioId: number; sportId: number; rollup: StoredRollup }>`
    select own.portfolio_id as "portfolioId", own.sport_id as "sportId", own.rollup from unnest(${[...portfolioIds]}::int[]) as wanted (id)
    join portfolio_day_sport own on own.portfolio_id = wanted.id and own.day = ${day}::date
  `.execute(database());
  return rows.map((row) => ({ ...row, rollup: { ...rollupIn(row.rollup), bets: {} } }));
}
