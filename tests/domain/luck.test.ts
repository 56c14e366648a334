import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { runApart } from '@/lib/platform/apart';
import { forgetEverything } from '@/lib/platform/cache';
import { TimeRange } from '@/lib/reference/schema';
import { computeDueLuck } from '@/lib/stats/commands';
import { deferLuck } from '@/lib/stats/commands/luck';
import { digestOf, readLuck } from '@/lib/stats/queries/luck';
import { readSettledTips } from '@/lib/stats/queries/settled-tips';
import { foldTips, luckOf } from '@/lib/stats/rules';
import { luckProbability } from '@/lib/stats/rules/luck';
import { asOwner, onTestDatabase } from '../support/database';
import { fillRecord } from '../support/record';
import { worldNow } from '../support/world';

jest.mock('@/lib/platform/apart', () => ({
  runApart: jest.fn(async (_name: string, input: unknown, here: (input: unknown) => unknown) => here(input)),
}));
const computed = jest.mocked(runApart);

onTestDatabase();

const later = new Date(worldNow.getTime() + 30 * 86_400_000);

beforeAll(async () => {
  await fillRecord();
});

/** The records over all time, folded tip by tip, of all portfolios with settled tips. */
async function rollups() {
  const tips = await readSettledTips(sql`true`);
  const ids = [...new Set(tips.map(({ portfolioId }) => portfolioId))].sort((a, b) => a - b);
  return ids.map((portfolioId) => ({
    portfolioId,
    rollup: foldTips(tips.filter((tip) => tip.portfolioId === portfolioId)),
  }));
}

const dueCount = async () =>
  (await sql<{ count: number }>`select count(*)::int as count from luck_due`.execute(database())).rows[0]?.count;

test('the chance that a record is luck is computed by the job and read from then on, the same as when it is computed at once', async () => {
  const own = await rollups();
  expect(own.length).toBeGreaterThan(0);
  expect(await dueCount()).toBeGreaterThan(0);
  while ((await computeDueLuck(later)) > 0);
  expect(await dueCount()).toBe(0);
  computed.mockClear();
  for (const { portfolioId, rollup } of own) {
    forgetEverything();
    const read = await readLuck(portfolioId, { range: TimeRange.allTime, sportId: 0 }, rollup);
    expect(computed).not.toHaveBeenCalled();
    expect(read).toEqual({ advised: luckProbability(rollup, 'advised'), level: luckProbability(rollup, 'level') });
  }
  // A record of few tips is never beyond what luck can do.
  const { rows } = await sql<{ least: number }>`select min(least(advised, level)) as least from portfolio_luck`.execute(
    database(),
  );
  expect(rows[0]?.least).toBeGreaterThan(0);
});

test('what was computed of other bets is never taken for it', async () => {
  const [first] = await rollups();
  if (!first) throw new Error('Nobody has a record.');
  const { portfolioId, rollup } = first;
  await sql`update portfolio_luck set digest = 'of-other-bets', advised = 0, level = 0`.execute(database());
  forgetEverything();
  expect(await readLuck(portfolioId, { range: TimeRange.allTime, sportId: 0 }, rollup)).toEqual(luckOf(rollup));
  const other = { ...rollup, totals: { ...rollup.totals, tips: rollup.totals.tips + 1 } };
  expect(digestOf(other)).not.toBe(digestOf(rollup));
});

test('what changes while it is computed is due again', async () => {
  const [first] = await rollups();
  const id = first?.portfolioId ?? 0;
  await deferLuck([id]);
  computed.mockImplementationOnce(async (_name, input, here) => {
    await deferLuck([id]);
    return here(input);
  });
  await sql`delete from portfolio_luck`.execute(database());
  await computeDueLuck(later);
  expect(await dueCount()).toBe(1);
});

test('a record whose luck cannot be written down keeps no other from it, stays due, and is told of', async () => {
  const ids = [...new Set((await rollups()).map(({ portfolioId }) => portfolioId))];
  expect(ids.length).toBeGreaterThan(1);
  await sql`delete from portfolio_luck`.execute(database());
  await sql`delete from luck_due`.execute(database());
  await deferLuck(ids);
  await asOwner(
    sql`alter table portfolio_luck add constraint none_of_it check (portfolio_id <> ${sql.lit(ids[0])}) not valid`,
  );
  try {
    await expect(computeDueLuck(later)).rejects.toThrow('none_of_it');
  } finally {
    await asOwner(sql`alter table portfolio_luck drop constraint none_of_it`);
  }
  const { rows } = await sql<{ id: number }>`select portfolio_id as id from luck_due`.execute(database());
  expect(rows).toEqual([{ id: ids[0] }]);
});
