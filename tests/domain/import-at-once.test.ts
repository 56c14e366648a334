import { sql } from 'kysely';
import type { FeedFixture } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import { onTestDatabase } from '../support/database';
import { counts, everything, importAll } from '../support/import';
import { match, matchResult } from '../support/world';

onTestDatabase();

const league = (round: number) => ({
  reference: `league-${round}`,
  name: `League ${round}`,
  countryIso2: null,
  territory: null,
  rank: 50,
});

/** Ten fixtures of a league that is new in each round, between sides that are, with prices and results. */
function batch(round: number, salt = ''): FeedFixture[] {
  return Array.from({ length: 10 }, (_, index) => {
    const [home, away, startsAt] = [
      `Side ${round}${salt}-${index}`,
      `Side ${round}${salt}-${(index + 1) % 10}`,
      `2026-02-${10 + index}T15:00:00.000Z`,
    ];
    const markets = [
      matchResult(home, away, '2026-02-01T15:00:00.000Z', {
        bet365: [2000 + index, 3000, 4000],
        coral: [2100, 3100, 4100],
      }),
    ];
    return match(home, away, startsAt, {
      league: league(round),
      markets,
      result: { home: index, away: 1, halfTime: null },
    });
  });
}

const total = (
  summaries: { created: number; unchanged: number; changed: number; prices: number; results: number }[],
  key: 'created' | 'changed' | 'unchanged' | 'prices' | 'results',
) => summaries.reduce((sum, summary) => sum + summary[key], 0);

describe('two imports at once', () => {
  test.each([1, 2, 3])('of the same batch make everything once (round %d)', async (round) => {
    const before = await counts();
    const summaries = await Promise.all([
      importAll(batch(round)),
      importAll(batch(round)),
      importAll(batch(round).reverse()),
    ]);
    const after = await counts();
    const made = Object.fromEntries(
      Object.entries(after).map(([table, rows]) => [table, rows - before[table as keyof typeof before]]),
    );
    expect(made).toEqual({
      league: 1,
      participant: 10,
      participant_alias: 10,
      fixture: 10,
      fixture_result: 10,
      market: 10,
      selection: 30,
      price: 60,
      price_change: 60,
    });
    expect([
      total(summaries, 'created'),
      total(summaries, 'unchanged'),
      total(summaries, 'prices'),
      total(summaries, 'results'),
    ]).toEqual([10, 20, 60, 10]);
    expect(summaries.flatMap(({ rejections }) => rejections)).toEqual([]);
  });

  test('of batches whose leagues and sides overlap in any order all come through', async () => {
    const cross = (order: 1 | -1) =>
      [10, 11, 12].flatMap((round) => batch(round, 'shared')).sort((a, b) => order * a.home.localeCompare(b.home));
    const summaries = await Promise.all([
      importAll(cross(1)),
      importAll(cross(-1)),
      importAll(cross(1)),
      importAll(cross(-1)),
    ]);
    expect([total(summaries, 'created'), total(summaries, 'unchanged') + total(summaries, 'changed')]).toEqual([
      30, 90,
    ]);
    const { rows } =
      await sql`select home_id, away_id from fixture group by league_id, home_id, away_id, starts_at having count(*) > 1`.execute(
        database(),
      );
    expect(rows).toEqual([]);
  });

  test('that contradict each other keep one price and report the other', async () => {
    const priced = (home: number) =>
      match('Here', 'There', '2026-02-10T15:00:00.000Z', {
        league: league(20),
        markets: [matchResult('Here', 'There', '2026-02-01T15:00:00.000Z', { bet365: [home, 3000, 4000] })],
      });
    const summaries = await Promise.all([importAll([priced(2000)]), importAll([priced(2200)])]);
    expect(summaries.flatMap(({ rejections }) => rejections)).toHaveLength(1);
    expect(total(summaries, 'prices')).toBe(3);
  });

  test('leave everything as one import leaves it', async () => {
    const kept = await everything();
    await Promise.all([importAll(batch(1)), importAll(batch(2)), importAll(batch(3))]);
    expect(await everything()).toEqual(kept);
  });
});
