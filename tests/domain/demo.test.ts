import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { auditWholeRecord } from '@/lib/audit/commands';
import { listFindings } from '@/lib/audit/queries';
import { demoScales, fillDemoWorld, type Scale } from '@/lib/demo/world';
import { runDueJobs } from '@/lib/jobs/schedule';
import { guest } from '@/lib/http/viewer';
import { marketKinds } from '@/lib/fixtures/schema';
import { database, transact } from '@/lib/platform/database';
import { exportLedger } from '@/lib/record/queries';
import { readLedger, verifyLedger } from '@/lib/record/rules';
import { sports } from '@/lib/reference/schema';
import { asOwner, onBlankDatabase, undone } from '../support/database';
import { Program } from '../support/program';
import { foldedRollups, storedRollups } from '../support/rollups';
import { dice } from '../unit/record/ledger';

const now = new Date('2026-03-09T06:00:00.000Z');
const scale: Scale = { pastDays: 24, pastEventsADay: 5, tipsters: 40, daysAhead: 0 };
const hoursLater = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const quietly = () => undefined;

onBlankDatabase();
jest.setTimeout(180_000);

/** What a visitor could tell two worlds apart by: all but the numbers that a database gives its rows, and the random references and salts. */
const views: Record<string, string> = {
  accounts: `select username, role, pro, demo, created_at from account`,
  portfolios: `select portfolio.reference, username, name, description, visibility, portfolio.demo, portfolio.created_at from portfolio join account on account.id = owner_id`,
  followers: `select username, reference, follow.max_stake_hundredths, follow.created_at from follow join account on account.id = account_id join portfolio on portfolio.id = portfolio_id`,
  members: `select username, portfolio.reference, starts_at, ends_at from membership join account on account.id = account_id join portfolio on portfolio.id = portfolio_id`,
  fixtures: `select reference, starts_at, name, status, demo, handicap, (select jsonb_agg(jsonb_build_array(home_score, away_score, scores, jsonb_array_length(positions), abandoned) order by version)
    from fixture_result where fixture_id = fixture.id) as results from fixture`,
  prices: `select fixture.reference, kind, line_hundredths, period, key, bookmaker_id, at, change.odds_thousandths, change.numerator, change.denominator
    from price_change change join selection on selection.id = selection_id join market on market.id = market_id join fixture on fixture.id = fixture_id`,
  tips: `select portfolio.reference as portfolio, idempotency_key, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis,
    (select jsonb_agg(jsonb_build_array(fixture.reference, kind, line_hundredths, key, bookmaker_id, odds_thousandths, each_way_places, price_at) order by tip_leg.position) from tip_leg
      join fixture on fixture.id = fixture_id join market on market.id = market_id join selection on selection.id = selection_id where tip_id = tip.id) as legs,
    (select jsonb_agg(jsonb_build_array(version, outcome, staked_hundredths, profit_microunits, level_profit_microunits, settled_at) order by version) from tip_settlement where tip_id = tip.id) as settlements
    from tip join portfolio on portfolio.id = portfolio_id`,
  days: `select reference, day, rollup #- '{span,firstSequence}' #- '{span,lastSequence}' as rollup, breakdowns - 'league' as breakdowns from portfolio_day join portfolio on portfolio.id = portfolio_id`,
  standings: `select reference, sport_id, period, as_of, summary from portfolio_standing join portfolio on portfolio.id = portfolio_id`,
  ledger: `select portfolio, kind, count(*)::int as entries from ledger_entry group by portfolio, kind`,
};

/** Each view as the number of its rows and a hash of them. */
async function worldAsSeen(): Promise<Record<string, { rows: number; hash: string }>> {
  const seen: Record<string, { rows: number; hash: string }> = {};
  for (const [name, view] of Object.entries(views)) {
    const { rows } = await sql<{ rows: number; hash: string }>`
      select count(*)::int as rows, md5(string_agg(whole::text, '|' order by whole::text)) as hash from (${sql.raw(view)}) whole`.execute(
      database(),
    );
    if (rows[0]) seen[name] = rows[0];
  }
  return seen;
}

async function listed<T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> {
  return (await statement.execute(database())).rows;
}

async function count(table: string, where = 'true'): Promise<number> {
  return (
    (
      await listed(
        sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)} where ${sql.raw(where)}`,
      )
    )[0]?.count ?? 0
  );
}

async function roundsMade(): Promise<number | null> {
  return (
    (await listed(sql<{ made: number }>`select rounds_made as made from demo_world where finished_at is null`))[0]
      ?.made ?? null
  );
}

const isFinished = async () => (await count('demo_world', 'finished_at is not null')) === 1;

async function* exportBytes(): AsyncGenerator<Uint8Array> {
  for await (const piece of await exportLedger(guest(), 'ndjson')) yield new TextEncoder().encode(piece);
}

const verify = () => verifyLedger(readLedger(exportBytes()));

let whole: Awaited<ReturnType<typeof worldAsSeen>> = {};
const said: string[] = [];
const program = new Program('tests/support/demo-world.ts');
afterAll(() => program.end());

beforeAll(
  undone(async () => {
    await fillDemoWorld(now, (line) => void said.push(line), scale);
    whole = await worldAsSeen();
  }),
  180_000,
);

test('the making of a world says how far it is, up to its end and no further', () => {
  const percents = said.flatMap((line) => /: (\d+) %…$/.exec(line)?.[1] ?? []).map(Number);
  expect(percents[0]).toBe(0);
  expect(percents.length).toBeGreaterThan(5);
  expect(percents).toEqual(percents.toSorted((one, other) => one - other));
  expect(percents.at(-1)).toBeGreaterThanOrEqual(90);
  expect(percents.at(-1)).toBeLessThan(100);
  expect(said.at(-1)).toBe('The demo world is made.');
});

test('a world that is broken off, by an error and by kills at random moments, goes on to the same world as one that is made at a stroke', async () => {
  const roll = dice(20261121);
  await expect(
    fillDemoWorld(
      now,
      () => {
        throw new Error('the terminal is gone');
      },
      scale,
    ),
  ).rejects.toThrow('the terminal is gone');
  const madeAtKills: (number | null)[] = [];
  while (!(await isFinished()) && madeAtKills.length < 8) {
    const run = program.start([now.toISOString(), JSON.stringify(scale)]);
    const before = (await roundsMade()) ?? 0;
    while (program.alive.includes(run) && ((await roundsMade()) ?? 0) <= before && !(await isFinished()))
      await wait(10);
    await wait(roll(250));
    await program.kill(run);
    madeAtKills.push(await roundsMade());
  }
  expect(program.failures).toEqual([]);
  expect(new Set(madeAtKills).size).toBeGreaterThan(3);
  // It goes on at the scale at which it was begun.
  await fillDemoWorld(now, quietly, demoScales.small);
  expect(await isFinished()).toBe(true);
  expect(await worldAsSeen()).toEqual(whole);
});

describe('the demo world', () => {
  test('has fixtures ahead in every enabled sport, and prices in every kind of market', async () => {
    const ahead = await listed(
      sql<{
        id: number;
      }>`select distinct sport_id as id from fixture join league on league.id = league_id where starts_at > ${now} and demo order by id`,
    );
    expect(ahead.map(({ id }) => id)).toEqual(
      sports.flatMap(({ id, enabled }) => (enabled ? [id] : [])).toSorted((a, b) => a - b),
    );
    const priced = await listed(sql<{ kind: string }>`
      select distinct kind from market join fixture on fixture.id = fixture_id join selection on selection.market_id = market.id join price on price.selection_id = selection.id
      where starts_at > ${now} and pulled_at is null`);
    expect(priced.map(({ kind }) => kind).toSorted()).toEqual([...marketKinds].toSorted());
  });

  test('has tips only at prices on offer at their moment, before every start', async () => {
    const legs = await count('tip_leg');
    const [found] = await listed(sql<{ offered: number; early: number }>`
      select count(*) filter (where change.odds_thousandths = leg.odds_thousandths and change.at = leg.price_at)::int as offered,
        count(*) filter (where tip.published_at < fixture.starts_at and change.at <= tip.published_at)::int as early
      from tip_leg leg join tip on tip.id = tip_id join fixture on fixture.id = fixture_id
      join lateral (select * from price_change given where given.selection_id = leg.selection_id and given.bookmaker_id = leg.bookmaker_id and given.at <= tip.published_at order by at desc limit 1) change on true`);
    expect(legs).toBeGreaterThan(100);
    expect(found).toEqual({ offered: legs, early: legs });
  });

  test('has multiples, each-way tips, hidden ones and tips that wait, of tipsters who are all marked as invented', async () => {
    expect(await count('tip_leg', 'position = 2')).toBeGreaterThan(5);
    expect(await count('tip', 'each_way')).toBeGreaterThan(3);
    expect(await count('tip', 'hidden')).toBeGreaterThan(0);
    expect(await count('open_tip')).toBeGreaterThan(3);
    expect(await count('portfolio')).toBe(scale.tipsters);
    expect(await count('portfolio', 'not demo')).toBe(0);
    expect(await count('fixture', 'not demo')).toBe(0);
  });

  test('has a ledger that verifies and statistics that are the fold of its tips', async () => {
    expect(await verify()).toMatchObject({ ok: true, firstProblem: null, entries: await count('ledger_entry') });
    expect(await count('tip_settlement')).toBeGreaterThan(80);
    expect(await storedRollups()).toEqual(await foldedRollups());
  });

  test('is made once: another time, and on a database with fixtures, nothing happens', async () => {
    const before = await worldAsSeen();
    await fillDemoWorld(hoursLater(1), quietly, scale);
    expect(await worldAsSeen()).toEqual(before);
    const undo = new Error('Nothing of it stays.');
    const attempt = transact(async () => {
      await asOwner(sql`delete from demo_world`);
      await fillDemoWorld(hoursLater(1), quietly, scale);
      expect(await count('demo_world')).toBe(0);
      expect(await worldAsSeen()).toEqual(before);
      throw undo;
    });
    await expect(attempt).rejects.toBe(undo);
  });
});

test('the audit finds nothing that differs from its record', async () => {
  await auditWholeRecord(now);
  // The tests act as the owner through a function that no program has.
  expect((await listFindings()).filter(({ problem }) => !problem.includes('test_support'))).toEqual([]);
});

test('the clock of the jobs keeps it alive: prices move, fixtures close and end, tips are opened, settled and counted', async () => {
  const before = {
    changes: await count('price_change'),
    results: await count('fixture_result'),
    settled: await count('tip_settlement'),
    open: await count('open_tip'),
  };
  for (let hours = 3; hours <= 18; hours += 3) await runDueJobs(hoursLater(hours));
  expect(await listed(sql`select name, failure from job_run where failure is not null`)).toEqual([]);
  expect(await count('price_change')).toBeGreaterThan(before.changes + 50);
  expect(await count('fixture_result')).toBeGreaterThan(before.results + 10);
  expect(await count('tip_settlement')).toBeGreaterThan(before.settled);
  expect(await count('open_tip')).toBeLessThan(before.open);
  const end = hoursLater(18).toISOString();
  expect(await count('fixture', `starts_at <= '${end}' and closed_at is null`)).toBe(0);
  expect(await count('price_change', `at > '${end}'`)).toBe(0);
  expect(await count('tip_commitment', `opens_at <= '${end}' and opened_at is null`)).toBe(0);
  expect(await verify()).toMatchObject({ ok: true, firstProblem: null });
  expect(await storedRollups()).toEqual(await foldedRollups());
});
