import { sql } from 'kysely';
import { importFixtures } from '@/lib/fixtures/commands';
import { database } from '@/lib/platform/database';
import { undone, useTestDatabase } from '../support/database';
import { match, worldFixtures, worldNow } from '../support/world';

useTestDatabase();

const lined = (fixtures: readonly (typeof worldFixtures)[number][]) => fixtures.map((fixture, index) => ({ line: index + 2, fixture }));

async function count(table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(database());
  return rows[0]?.count ?? 0;
}

describe('importing fixtures', () => {
  test(
    'changes nothing the second time',
    undone(async () => {
      const before = await Promise.all(['fixture', 'market', 'selection', 'price', 'price_change', 'fixture_result', 'participant'].map(count));
      const summary = await importFixtures(lined(worldFixtures), 'football-data', worldNow);
      const after = await Promise.all(['fixture', 'market', 'selection', 'price', 'price_change', 'fixture_result', 'participant'].map(count));
      expect(summary).toEqual({ created: 0, changed: 0, unchanged: worldFixtures.length, prices: 0, results: 0, rejections: [] });
      expect(after).toEqual(before);
    }),
  );

  test(
    'records a different result as a new version and keeps the old one',
    undone(async () => {
      const corrected = match('Rovers', 'Town', '2026-03-07T15:00:00.000Z', { result: { home: 2, away: 2, halfTime: null } });
      const summary = await importFixtures(lined([corrected]), 'football-data', worldNow);
      expect(summary.results).toBe(1);
      const { rows } = await sql`select version, home_score, away_score from fixture_result order by version`.execute(database());
      expect(rows).toEqual([
        { version: 1, home_score: 2, away_score: 1 },
        { version: 2, home_score: 2, away_score: 2 },
      ]);
    }),
  );
});
