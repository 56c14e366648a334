import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
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

/** What the standings of a portfolio go on from in one sport, or in all (0), as JSON for `baseIn`. */
export type OwnedBase = { portfolioId: number; sportId: number; sums: string };

/** What is kept for the standings of portfolios on a day to go on from; a portfolio for which nothing is kept is not among them. */
export async function readStandingBases(portfolioIds: readonly number[], day: string): Promise<OwnedBase[]> {
  const { rows } = await sql<OwnedBase>`
    select portfolio_id as "portfolioId", sport_id as "sportId", sums::text from standing_base where portfolio_id = any(${[...portfolioIds]}::int[]) and day = ${day}::date
  `.execute(database());
  return rows;
}

/** What was settled on a day in portfolios, sport by sport, as JSON for `dayIn`. */
export async function readDayBySport(
  portfolioIds: readonly number[],
  day: string,
): Promise<{ portfolioId: number; sportId: number; rollup: string }[]> {
  const { rows } = await sql<{ portfolioId: number; sportId: number; rollup: string }>`
    select own.portfolio_id as "portfolioId", own.sport_id as "sportId", own.rollup::text from unnest(${[...portfolioIds]}::int[]) as wanted (id)
    join portfolio_day_sport own on own.portfolio_id = wanted.id and own.day = ${day}::date
  `.execute(database());
  return rows;
}

/** The rollup of a day in its JSON, for standings: without the bets. */
export const dayIn = (rollup: string): Rollup => ({ ...rollupIn(JSON.parse(rollup) as StoredRollup), bets: {} });
