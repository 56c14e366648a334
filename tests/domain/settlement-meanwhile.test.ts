import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { importFixtures } from '@/lib/fixtures/commands';
import { noteLateClosings, storeClosingAverages } from '@/lib/fixtures/commands/closings';
import { recordResult } from '@/lib/fixtures/commands/results';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { resettlePlayedFixtures } from '@/lib/rulings/commands';
import { publishPastTips } from '@/lib/tips/commands';
import { onOwnConnection, onTestDatabase } from '../support/database';
import { offer, openShop } from '../support/members';
import { countLateClosings, resettleCorrected, settleDueTips } from '../support/moments';
import { foldedRollups, storedRollups } from '../support/rollups';
import { untilWaiting } from '../support/waiting';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

const startsAt = '2026-03-11T15:00:00.000Z';
const evening = new Date('2026-03-11T20:00:00.000Z');
// What was not decided when it was last looked at waits for some minutes.
const after = (minutes: number) => new Date(evening.getTime() + minutes * 60_000);
const won = { home: 1, away: 0, halfTime: null };
const lost = { home: 0, away: 2, halfTime: null };
const names = ['Ann', 'Bea', 'Cid', 'Dan'] as const;

type Name = (typeof names)[number];
type Due = { portfolioId: number; fixtureId: number; selectionIds: number[] };

const bring = (name: Name, more: object) =>
  importFixtures(
    [{ line: 1, fixture: match(`${name} Home`, `${name} Away`, startsAt, more) }],
    'football-data',
    worldNow,
  );

const tips = new Map<Name, Due>();

// A record grows in the order of time: all tips are published before the first is settled.
beforeAll(async () => {
  for (const name of names) {
    const prices: Record<string, [number, number, number]> = { bet365: [2000, 3500, 4000] };
    await bring(name, { markets: [matchResult(`${name} Home`, `${name} Away`, worldNow.toISOString(), prices)] });
    const { rows } = await sql<{ fixtureId: number; fixture: string; selectionId: number }>`
      select fixture.id as "fixtureId", fixture.reference as fixture, selection.id as "selectionId"
      from fixture join market on market.fixture_id = fixture.id join selection on market_id = market.id where fixture.name like ${`${name} Home%`} order by selection.position
    `.execute(database());
    const { owner, id, reference } = await openShop(name.toLowerCase(), { name: `${name} Football` }, worldNow);
    const leg = await offer(rows[0]?.fixture ?? '', 'match-result', 'home', 'bet365');
    await publishPastTips([
      {
        viewer: owner,
        portfolioReference: reference,
        at: worldNow,
        input: { idempotencyKey: 'one', legs: [leg], stakeHundredths: 100 },
      },
    ]);
    tips.set(name, {
      portfolioId: id,
      fixtureId: rows[0]?.fixtureId ?? 0,
      selectionIds: rows.map(({ selectionId }) => selectionId),
    });
  }
});

/** The tip of this name, due, with a result by which it won. */
async function dueTip(name: Name): Promise<Due> {
  const due = tips.get(name);
  if (!due) throw new Error(`${name} has no tip.`);
  await transact(() => recordResult(due.fixtureId, won, 'football-data', evening));
  return due;
}

/** Settles what is due, held up where it first reads this table, while `body` runs; gives how many tips were settled. */
async function settleHeldUp(table: string, at: Date, body: () => Promise<unknown>): Promise<number> {
  return onOwnConnection(async (other) => {
    await other.query(`begin; lock table ${table} in access exclusive mode`);
    const settling = settleDueTips(at, { seconds: 0 });
    await untilWaiting(1);
    const meanwhile = body();
    // Long enough for what does not wait to end.
    await Promise.race([meanwhile, untilWaiting(2)]);
    await pause(50);
    await other.query('commit');
    const settled = await settling;
    await meanwhile;
    return settled;
  });
}

const versions = async (portfolioId: number) =>
  (
    await sql<{ version: number; outcome: string; fair: string | null }>`
      select version, outcome, facts -> 0 -> 'fairClosing' ->> 'numerator' as fair from tip_settlement join tip on tip.id = tip_id where portfolio_id = ${portfolioId} order by version
    `.execute(database())
  ).rows;

test('while tips are computed nobody who publishes in their portfolios waits', async () => {
  const { portfolioId } = await dueTip('Ann');
  let isFree = false;
  await settleHeldUp('price_change', evening, async () => {
    await transact(() => sql`select 1 from portfolio where id = ${portfolioId} for update nowait`.execute(database()));
    await transact(() => sql`select 1 from ledger_head for update nowait`.execute(database()));
    isFree = true;
  });
  expect(isFree).toBe(true);
  expect(await versions(portfolioId)).toMatchObject([{ version: 1, outcome: 'won' }]);
});

test('a result that is corrected while tips are computed by the old one settles them anew', async () => {
  const { portfolioId, fixtureId } = await dueTip('Bea');
  const settled = await settleHeldUp('price_change', after(10), async () => {
    await transact(() => recordResult(fixtureId, lost, 'football-data', after(20)));
    expect(await resettleCorrected(after(20))).toBe(1);
  });
  expect(settled).toBe(1);
  expect((await versions(portfolioId)).map(({ outcome }) => outcome)).toEqual(['won', 'lost']);
  expect(await storedRollups()).toEqual(await foldedRollups());
});

test('closing prices that become known while tips are computed without them are told by a later version', async () => {
  const { portfolioId, selectionIds } = await dueTip('Cid');
  const settled = await settleHeldUp('league', after(30), async () => {
    await transact(async () => {
      await storeClosingAverages(
        selectionIds.map((selectionId, index) => ({ selectionId, oddsThousandths: [2100, 3300, 3900][index] ?? 0 })),
      );
      await noteLateClosings(selectionIds);
    });
    await countLateClosings(after(40));
  });
  expect(settled).toBe(1);
  const [first, second] = await versions(portfolioId);
  expect([first?.fair, typeof second?.fair]).toEqual([null, 'string']);
  expect(await storedRollups()).toEqual(await foldedRollups());
});

test('a first result that comes while tips are made void without one settles them anew', async () => {
  const { portfolioId, fixtureId } = tips.get('Dan') ?? { portfolioId: 0, fixtureId: 0 };
  const late = after(50 * 60);
  await sql`update fixture set postponed_by = 'openfootball' where id = ${fixtureId}`.execute(database());
  const settled = await settleHeldUp('price_change', late, async () => {
    await transact(() => recordResult(fixtureId, won, 'football-data', late));
  });
  expect(settled).toBe(1);
  expect((await versions(portfolioId)).map(({ outcome }) => outcome)).toEqual(['void']);
  expect(await decidedAt(late, () => resettlePlayedFixtures(late))).toBe(1);
  expect((await versions(portfolioId)).map(({ outcome }) => outcome)).toEqual(['void', 'won']);
  expect(await decidedAt(late, () => resettlePlayedFixtures(late))).toBe(0);
});
