import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { guest } from '@/lib/http/viewer';
import { importFixtures } from '@/lib/fixtures/commands';
import { daysAfter } from '@/lib/fixtures/rules';
import { database } from '@/lib/platform/database';
import { exportLedger } from '@/lib/record/queries';
import { readLedger, verifyLedger } from '@/lib/record/rules';
import { computeDueStandings } from '@/lib/stats/commands';
import { type PastTip, publishPastTips } from '@/lib/tips/commands';
import { onBlankDatabase, onOwnConnection } from '../support/database';
import { isRunning } from '../support/embedded-postgres';
import { openShop } from '../support/members';
import { signLedger } from '../support/moments';
import { foldedRollups, storedRollups } from '../support/rollups';
import { runnerPrefix, Runners } from '../support/runners';
import { trialSize } from '../support/trial-size';
import { match, matchResult, worldNow } from '../support/world';
import { dice } from '../unit/record/ledger';

const rounds = trialSize('RUNNER_ROUNDS', 8);
const runnerCount = 10;
const killsARound = 2;
const portfolioCount = 30;
const hour = 3_600_000;
// Round prices and stakes: their chances are computed fast, and the programs spend their time in transactions.
const oddsThousandths = { home: 2000, draw: 3500, away: 4000 };
const keys = ['home', 'draw', 'away'] as const;

onBlankDatabase();

const startOf = (round: number) => new Date(daysAfter(worldNow, 1).getTime() + round * 5 * hour);
const settledFrom = (round: number) => new Date(startOf(round).getTime() + 3 * hour);
const winnerOf = (round: number) => keys[(round * 7) % 5 === 0 ? 1 : round % 2 === 0 ? 0 : 2] ?? 'home';

const fixtureOf = (round: number, more = {}) =>
  match(`Home ${round}`, `Away ${round}`, startOf(round).toISOString(), more);

async function playFixture(round: number): Promise<void> {
  const winner = winnerOf(round);
  const result = { home: winner === 'home' ? 2 : 1, away: winner === 'away' ? 2 : 1, halfTime: null };
  await importFixtures([{ line: 1, fixture: fixtureOf(round, { result }) }], 'football-data', settledFrom(round));
}

type Leg = PastTip['input']['legs'][number];

async function offers(): Promise<Map<string, Leg>> {
  const { rows } = await sql<Leg & { home: string; key: string }>`
    select participant.name as home, selection.key, fixture.reference as "fixtureReference", selection.id as "selectionId", bookmaker_id as "bookmakerId", odds_thousandths as "oddsThousandths"
    from fixture join participant on participant.id = home_id join market on market.fixture_id = fixture.id join selection on selection.market_id = market.id join price on price.selection_id = selection.id
  `.execute(database());
  return new Map(rows.map(({ home, key, ...leg }) => [`${home} ${key}`, leg]));
}

type Plan = { legs: { round: number; key: (typeof keys)[number] }[]; stakeHundredths: number };

/** What a portfolio tips: an end of every other round's fixture, each third time as a double with the winner of the round before. */
const tipsOf = (place: number): Plan[] =>
  Array.from({ length: rounds }, (_, round) => round)
    .filter((round) => (round + place) % 2 === 0)
    .map((round) => {
      const leg = { round, key: keys[(round + place) % 3] ?? 'home' };
      const isDouble = round > 0 && place % 3 === 0;
      return {
        legs: isDouble ? [leg, { round: round - 1, key: winnerOf(round - 1) }] : [leg],
        stakeHundredths: 100 * (1 + (place % 3)),
      };
    });

/** What a tip comes to, reckoned apart from the program. */
function profitMicrounits({ legs, stakeHundredths }: Plan): number {
  const odds = legs.reduce(
    (product, { round, key }) => (winnerOf(round) === key ? (product * oddsThousandths[key]) / 1000 : 0),
    1,
  );
  return Math.round(stakeHundredths * 10_000 * (odds - 1));
}

const plans = Array.from({ length: portfolioCount }, (_, place) => tipsOf(place));
const tipCount = plans.flat().length;
const profits = plans.map((plan, place) => ({
  portfolio: `portfolio-${place}`,
  profit: String(plan.reduce((sum, tip) => sum + profitMicrounits(tip), 0)),
}));

async function publishEverything(): Promise<void> {
  const at = worldNow.toISOString();
  const fixtures = Array.from({ length: rounds }, (_, round) =>
    fixtureOf(round, {
      markets: [
        matchResult(`Home ${round}`, `Away ${round}`, at, {
          bet365: [oddsThousandths.home, oddsThousandths.draw, oddsThousandths.away],
        }),
      ],
    }),
  );
  await importFixtures(
    fixtures.map((fixture, index) => ({ line: index + 1, fixture })),
    'football-data',
    worldNow,
  );
  const offered = await offers();
  const legOf = ({ round, key }: { round: number; key: string }): Leg => {
    const leg = offered.get(`Home ${round} ${key}`);
    if (!leg) throw new Error(`There is no price on ${key} of round ${round}.`);
    return leg;
  };
  for (const [place, plan] of plans.entries()) {
    const { owner, reference } = await openShop(`member-${place}`, { name: `Portfolio ${place}` }, worldNow);
    const submissions = plan.map(({ legs, stakeHundredths }, index) => ({
      viewer: owner,
      portfolioReference: reference,
      at: worldNow,
      input: { idempotencyKey: `tip-${index}`, legs: legs.map(legOf), stakeHundredths },
    }));
    await publishPastTips(submissions);
  }
}

async function count(what: ReturnType<typeof sql<{ count: number }>>): Promise<number> {
  return (await what.execute(database())).rows[0]?.count ?? 0;
}

const countOpen = () => count(sql`select count(*)::int as count from open_tip`);
const busy = sql`datname = current_database() and application_name like ${`${runnerPrefix}%`} and xact_start is not null`;

async function namesOfBusy(): Promise<Set<string>> {
  const { rows } = await sql<{
    name: string;
  }>`select application_name as name from pg_stat_activity where ${busy}`.execute(database());
  return new Set(rows.map(({ name }) => name));
}

const cutOffOne = () =>
  count(
    sql`select count(pg_terminate_backend(pid))::int as count from (select pid from pg_stat_activity where ${busy} order by random() limit 1) one`,
  );

/** Asks again and again while a round is being settled, for a fifth of a second at most. */
async function whileSettling<Answer>(ask: () => Promise<Answer | undefined>): Promise<Answer | undefined> {
  const deadline = performance.now() + 200;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || performance.now() > deadline) return answer;
  }
}

async function* exportBytes(): AsyncGenerator<Uint8Array> {
  for await (const piece of await exportLedger(guest(), 'ndjson')) yield new TextEncoder().encode(piece);
}

describe(`${runnerCount} programs that settle tips at once`, () => {
  let runners: Runners;
  beforeAll(() => void (runners = new Runners()), 30_000);
  afterAll(() => runners.end());

  test(`and are killed at random, ${rounds} rounds of it, settle every tip once and count it once`, async () => {
    await publishEverything();
    expect(await countOpen()).toBe(tipCount);
    const roll = dice(20261121);
    const busyRunner = async () => {
      const names = await namesOfBusy();
      return runners.alive.find(({ name }) => names.has(name));
    };
    const tally = { killed: 0, killedInTransaction: 0, cutOff: 0 };
    for (let round = 0; round < rounds && runners.failures.length === 0; round += 1) {
      await runners.fillUpTo(runnerCount);
      await playFixture(round);
      runners.tell(settledFrom(round));
      for (let kill = 0; kill < killsARound; kill += 1) {
        await wait(roll(30));
        const atWork = kill === 0 ? await whileSettling(busyRunner) : undefined;
        const victim = atWork ?? runners.alive[roll(runners.alive.length)];
        if (!victim) break;
        await runners.kill(victim);
        tally.killed += 1;
        if (atWork) tally.killedInTransaction += 1;
        if (kill === 0) tally.cutOff += (await whileSettling(async () => (await cutOffOne()) || undefined)) ?? 0;
      }
    }
    await runners.fillUpTo(runnerCount);
    runners.tell(settledFrom(rounds));
    const deadline = performance.now() + 120_000;
    while ((await countOpen()) > 0 && runners.alive.length > 0 && performance.now() < deadline) await wait(50);
    const pids = runners.alive.map(({ child }) => child.pid ?? 0);
    expect(runners.failures).toEqual([]);
    expect(tally.killed).toBe(rounds * killsARound);
    expect(Math.min(tally.killedInTransaction, tally.cutOff)).toBeGreaterThan(rounds / 2);
    await runners.end();
    expect(pids.filter(isRunning)).toEqual([]);

    expect(await countOpen()).toBe(0);
    // Who was killed after its last batch has left the standings to the next run.
    await computeDueStandings(settledFrom(rounds));
    expect(await count(sql`select count(*)::int as count from standing_due`)).toBe(0);
    const settlements =
      await sql`select count(*)::int as count, count(distinct tip_id)::int as tips, max(version) as version from tip_settlement`.execute(
        database(),
      );
    expect(settlements.rows).toEqual([{ count: tipCount, tips: tipCount, version: 1 }]);
    const entries =
      await sql`select kind, count(*)::int as count, count(distinct tip)::int as tips from ledger_entry group by kind order by kind`.execute(
        database(),
      );
    expect(entries.rows).toEqual(
      ['tip-published', 'tip-settled'].map((kind) => ({ kind, count: tipCount, tips: tipCount })),
    );
    const settled = await sql`
      select portfolio.reference as portfolio, sum(profit_microunits)::text as profit from tip_settlement join tip on tip.id = tip_id join portfolio on portfolio.id = portfolio_id
      group by portfolio.id order by portfolio.id
    `.execute(database());
    expect(settled.rows).toEqual(profits);
    await signLedger(settledFrom(rounds));
    expect(await verifyLedger(readLedger(exportBytes()))).toMatchObject({
      ok: true,
      entries: 2 * tipCount + 1,
      counted: true,
      firstProblem: null,
    });
    expect(await storedRollups()).toEqual(await foldedRollups());
    await onOwnConnection(async (client) => {
      const { rows } = await client.query(
        `select 1 from pg_stat_activity where application_name like '${runnerPrefix}%' and datname = current_database()`,
      );
      expect(rows).toEqual([]);
    });
  }, 600_000);
});
