import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { rollupIn, type StoredRollup } from '../rules/stored-rollup';
import type { Rollup } from '../schema';

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
    if (group?.portfolioId !== portfolioId || group.sportId !== sportId) groups.push((group = { portfolioId, sportId, days: [] }));
    group.days.push({ day, rollup: rollupIn(rollup) });
  }
  return groups;
}
