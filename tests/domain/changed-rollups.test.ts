import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { foldOldDays } from '@/lib/stats/commands';
import { findChangedRollups, type PortfolioDay } from '@/lib/stats/queries';
import type { ChangedRollup } from '@/lib/stats/queries/changed-rollups';
import { foldVersion } from '@/lib/stats/rules/stored-day';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { fillFollowed, type Followed, followedUntil } from '../support/followed';

onTestDatabase();

let world: Followed;
beforeAll(async () => {
  world = await fillFollowed();
});

/** All that is found by going through the days so many at a time. */
async function findAll(limit: number): Promise<ChangedRollup[]> {
  const changed: ChangedRollup[] = [];
  let after: PortfolioDay | null = null;
  do {
    const page: Awaited<ReturnType<typeof findChangedRollups>> = await findChangedRollups(after, limit);
    changed.push(...page.changed);
    after = page.next;
  } while (after);
  return changed;
}

const whats = async (limit = 100) => [...new Set((await findAll(limit)).map(({ what }) => what))];
const day = sql`(select min(day) from portfolio_day)`;

test('what settlement stored is found unchanged, however many days are looked at in one go', async () => {
  for (const limit of [1, 2, 3, 1000]) expect(await findAll(limit)).toEqual([]);
});

describe('a stored row of statistics is found', () => {
  const tamperings: [how: string, statement: ReturnType<typeof sql>, found: RegExp][] = [
    [
      'a profit in a day',
      sql`update portfolio_day set rollup = jsonb_set(rollup, '{totals,advised,profitMicrounits}', '"57200000"') where day = ${day}`,
      /^the rollup of the day$/,
    ],
    [
      'a breakdown of a day',
      sql`update portfolio_day set breakdowns = jsonb_set(breakdowns, '{sport}', '{}') where day = ${day}`,
      /^the breakdowns of the day$/,
    ],
    [
      'a profit in a day by sport',
      sql`update portfolio_day_sport set rollup = jsonb_set(rollup, '{totals,level,profitMicrounits}', '"1"') where sport_id = 1 and day = ${day}`,
      /^the rollup of the day in sport 1$/,
    ],
    [
      'a follower’s figure',
      sql`update portfolio_day_sport set rollup = jsonb_set(rollup, '{followers,after15,stillThere}', '99') where sport_id = 0 and day = ${day}`,
      /^the rollup of the day in sport 0$/,
    ],
    [
      'the followers of a day being taken out',
      sql`update portfolio_day set rollup = rollup - 'followers' where day = ${day}`,
      /^the rollup of the day$/,
    ],
    ['a day being deleted', sql`delete from portfolio_day where day = ${day}`, /^the rollup of the day$/],
    [
      'a sport of a day being deleted',
      sql`delete from portfolio_day_sport where sport_id = 0 and day = ${day}`,
      /^the rollup of the day in sport 0$/,
    ],
    [
      'a day being added',
      sql`insert into portfolio_day_sport select portfolio_id, sport_id, '2020-01-01', rollup from portfolio_day_sport limit 1`,
      /^the rollup of the day in sport \d$/,
    ],
    [
      'a sport being added',
      sql`insert into portfolio_day_sport select portfolio_id, 9, day, rollup from portfolio_day_sport limit 1`,
      /^the rollup of the day in sport 9$/,
    ],
    [
      'a figure of a standing',
      sql`update portfolio_standing set profit_advised = 572.37 where period = 6 and sport_id = 0`,
      /^the standing in sport 0 over time range 6$/,
    ],
    [
      'a summary of a standing',
      sql`update portfolio_standing set summary = jsonb_set(summary, '{totals,0}', '999') where period = 5 and sport_id = 1`,
      /^the standing in sport 1 over time range 5$/,
    ],
    [
      'a sum that standings go on from',
      sql`update standing_base set sums = jsonb_set(sums::jsonb, '{6,totals,5}', '572370000')::json where sport_id = 0`,
      /^the sums that standings go on from in sport 0$/,
    ],
    [
      'a sport of such sums being added',
      sql`insert into standing_base select portfolio_id, 9, day, sums from standing_base limit 1`,
      /^the sums that standings go on from in sport 9$/,
    ],
    [
      'a sport of such sums being deleted',
      sql`delete from standing_base where sport_id = 1`,
      /^the sums that standings go on from in sport 1$/,
    ],
    [
      'a standing’s day',
      sql`update portfolio_standing set as_of = as_of - 1 where period = 5 and sport_id = 1`,
      /^the standing in sport 1 over time range 5$/,
    ],
    [
      'a standing being deleted',
      sql`delete from portfolio_standing where period = 3 and sport_id = 0`,
      /^the standing in sport 0 over time range 3$/,
    ],
    ['all standings being deleted', sql`delete from portfolio_standing`, /^the standings, which are missing$/],
  ];

  test.each(tamperings)('to have been changed: %s', (_, statement, found) =>
    undone(async () => {
      await asOwner(statement);
      expect(await whats()).toEqual(expect.arrayContaining([expect.stringMatching(found)]));
      expect(await whats(1)).toEqual(expect.arrayContaining([expect.stringMatching(found)]));
    })(),
  );

  test('unless they are called those of an earlier fold, which are folded anew at once', () =>
    undone(async () => {
      await asOwner(
        sql`update portfolio_day set fold = 1, rollup = jsonb_set(rollup, '{totals,won}', '9') where day = ${day}`,
      );
      expect(await whats()).toEqual([]);
      expect(await foldOldDays(followedUntil)).toBe(1);
      const { rows } = await sql<{ fold: number; won: string }>`
        select fold, rollup #>> '{totals,won}' as won from portfolio_day where day = ${day}
      `.execute(database());
      expect(rows).toEqual([{ fold: foldVersion, won: expect.not.stringMatching(/^9$/) }]);
      expect(await whats()).toEqual([]);
    })());

  test('with its portfolio and day', () =>
    undone(async () => {
      await sql`update portfolio_day set breakdowns = '{}' where day = ${day}`.execute(database());
      const { rows } = await sql<{ day: string }>`select ${day}::text as day`.execute(database());
      expect(await findAll(100)).toEqual([
        { portfolioId: world.id, day: rows[0]?.day, what: 'the breakdowns of the day' },
      ]);
    })());

  test('in a portfolio that has standings and no tip', () =>
    undone(async () => {
      await sql`insert into portfolio (owner_id, reference, name, visibility, created_at) select owner_id, 'empty', 'Empty', 1, created_at from portfolio where id = ${world.id}`.execute(
        database(),
      );
      await sql`
        insert into portfolio_standing select * from jsonb_populate_recordset(null::portfolio_standing,
          (select jsonb_agg(to_jsonb(standing) || jsonb_build_object('portfolio_id', (select id from portfolio where reference = 'empty'))) from portfolio_standing standing))
      `.execute(database());
      expect((await whats(3)).length).toBeGreaterThan(0);
    })());
});
