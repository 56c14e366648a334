import { sql } from 'kysely';
import { importFixtures } from '@/lib/fixtures/commands';
import { daysAfter } from '@/lib/fixtures/rules';
import { atOnce, database, transact } from '@/lib/platform/database';
import { computeDueStandings } from '@/lib/stats/commands';
import { findChangedRollups } from '@/lib/stats/queries';
import { publishPastTips } from '@/lib/tips/commands';
import { asOwner, onBlankDatabase } from '../support/database';
import { offer, openShop } from '../support/members';
import { resettleCorrected, settleDueTips } from '../support/moments';
import { foldedRollups, storedRollups } from '../support/rollups';
import { match, matchResult, worldNow } from '../support/world';

onBlankDatabase();

const portfolios = 9;
const hour = 3_600_000;
const startOf = (round: number) => new Date(daysAfter(worldNow, 1).getTime() + round * 24 * hour);
const endOf = (round: number) => new Date(startOf(round).getTime() + 5 * hour);
const rounds = [0, 1, 2];

const fixture = (round: number, more = {}) =>
  match(`Home ${round}`, `Away ${round}`, startOf(round).toISOString(), more);

async function finish(round: number, home: number, away: number, at: Date): Promise<void> {
  await importFixtures(
    [{ line: 1, fixture: fixture(round, { result: { home, away, halfTime: null } }) }],
    'football-data',
    at,
  );
}

async function publishEverything(): Promise<void> {
  const at = worldNow.toISOString();
  await importFixtures(
    rounds.map((round) => ({
      line: round + 1,
      fixture: fixture(round, {
        markets: [matchResult(`Home ${round}`, `Away ${round}`, at, { bet365: [2000, 3500, 4000] })],
      }),
    })),
    'football-data',
    worldNow,
  );
  const { rows } = await sql<{ reference: string }>`select reference from fixture order by starts_at`.execute(
    database(),
  );
  for (let place = 0; place < portfolios; place += 1) {
    const { owner, reference } = await openShop(
      `member-${place}`,
      { name: `Portfolio ${place}`, visibility: place % 4 === 0 ? 0 : 1 },
      worldNow,
    );
    const legs = await Promise.all(
      rows.map((row) =>
        offer(row.reference, 'match-result', (['home', 'draw', 'away'] as const)[place % 3] ?? 'home', 'bet365'),
      ),
    );
    await publishPastTips(
      legs.map((leg, index) => ({
        viewer: owner,
        portfolioReference: reference,
        at: worldNow,
        input: { idempotencyKey: `tip-${index}`, legs: [leg], stakeHundredths: 100 },
      })),
    );
  }
}

async function changed(): Promise<unknown[]> {
  const found = [];
  for (let after: Awaited<ReturnType<typeof findChangedRollups>>['next'] = null; ; ) {
    const page = await findChangedRollups(after, 100);
    found.push(...page.changed);
    if (!page.next) return found;
    after = page.next;
  }
}

/** Two programs at once, each in its lanes, a few tips at a time, until none is left however slow the machine is. */
const settleTwice = (at: Date) => {
  const settle = () => settleDueTips(at, { batchSize: 2, seconds: 60 });
  return Promise.all([settle(), settle()]);
};

const settled = async () =>
  (
    await sql`select count(*)::int as count, count(distinct tip_id)::int as tips from tip_settlement where version = 1`.execute(
      database(),
    )
  ).rows;

test('lanes that settle at once, in two programs, settle every tip once and count it once, day after day and after a correction', async () => {
  await publishEverything();
  for (const round of rounds) {
    await finish(round, round === 1 ? 0 : 2, 1, endOf(round));
    const [one, other] = await settleTwice(endOf(round));
    expect(one + other).toBe(portfolios);
    await computeDueStandings(endOf(round));
    expect(await settled()).toEqual([{ count: portfolios * (round + 1), tips: portfolios * (round + 1) }]);
    expect(await storedRollups()).toEqual(await foldedRollups());
    expect(await changed()).toEqual([]);
  }
  expect((await sql`select from standing_base`.execute(database())).rows.length).toBeGreaterThan(portfolios);
  // A correction of the first day: the standings of today go on from other sums.
  const later = new Date(endOf(2).getTime() + hour);
  await finish(0, 1, 3, later);
  expect(await resettleCorrected(later)).toBeGreaterThan(0);
  expect(await storedRollups()).toEqual(await foldedRollups());
  expect(await changed()).toEqual([]);
  // What is missing is computed again from the days.
  await asOwner(sql`delete from standing_base`);
  await sql`insert into standing_due select id from portfolio`.execute(database());
  await computeDueStandings(later);
  expect(await storedRollups()).toEqual(await foldedRollups());
  expect(await changed()).toEqual([]);
});

test('inside a transaction there is one lane, and one that fails is told after the others have ended', async () => {
  expect(await atOnce(2, async (place, of) => `${place + 1} of ${of}`)).toEqual(['1 of 2', '2 of 2']);
  expect(await transact(() => atOnce(2, async (place, of) => `${place + 1} of ${of}`))).toEqual(['1 of 1']);
  let ended = false;
  const work = async (place: number) => {
    if (place === 0) throw new Error('refused');
    await sql`select pg_sleep(0.1)`.execute(database());
    ended = true;
  };
  await expect(atOnce(2, work)).rejects.toThrow('refused');
  expect(ended).toBe(true);
});
