import { sql } from 'kysely';
import { closeMarkets, importFixtures } from '@/lib/fixtures/commands';
import type { FeedMarket } from '@/lib/fixtures/schema';
import { noteLateClosings } from '@/lib/fixtures/commands/closings';
import { database, transact } from '@/lib/platform/database';
import { TimeRange } from '@/lib/reference/schema';

import { getStatistics } from '@/lib/stats/queries';
import { publishPastTips } from '@/lib/tips/commands';
import { onOwnConnection, onTestDatabase, undone } from '../support/database';
import { offer, openShop } from '../support/members';
import { countLateClosings, publishTip, resettleCorrected, settleDueTips } from '../support/moments';
import { foldedRollups, storedRollups } from '../support/rollups';
import { untilWaiting } from '../support/waiting';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

const athletic = 'athletic-v-wanderers-2026-03-10';
const startsAt = '2026-03-10T20:00:00.000Z';
const later = new Date('2026-03-11T12:00:00.000Z');

const bring = (more: object) =>
  importFixtures([{ line: 2, fixture: match('Athletic', 'Wanderers', startsAt, more) }], 'football-data', later);

const closing = (averages: [number, number, number] | null): FeedMarket => {
  const market = matchResult('Athletic', 'Wanderers', startsAt, { bet365: [2000, 3400, 4000] }, true);
  market.selections.forEach((selection, index) => {
    if (averages) selection.closingAverageThousandths = averages[index] ?? 0;
  });
  return market;
};

async function settledTip() {
  const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
  await publishTip(
    owner,
    reference,
    { idempotencyKey: 'one', legs: [await offer(athletic, 'match-result', 'home', 'bet365')], stakeHundredths: 100 },
    worldNow,
  );
  await bring({ result: { home: 1, away: 0, halfTime: null } });
  expect(await settleDueTips(later)).toBe(1);
  return async () => {
    const { clvPercent, noVigClvPercent, tips } = await getStatistics(
      owner,
      reference,
      { range: TimeRange.allTime },
      later,
    );
    return { tips, raw: clvPercent?.value ?? null, noVig: noVigClvPercent?.value ?? null };
  };
}

describe('closing prices that become known after a tip was settled', () => {
  test(
    'count it anew, once',
    undone(async () => {
      const read = await settledTip();
      expect(await read()).toEqual({ tips: 1, raw: null, noVig: null });
      await bring({ markets: [closing(null)] });
      expect([await countLateClosings(later), await countLateClosings(later)]).toEqual([1, 0]);
      // 2.5 taken at a closing 2: 25 %; without the margin of 1/2 + 1/3.4 + 1/4 the fair closing odds are 2.0882….
      expect(await read()).toEqual({ tips: 1, raw: 25, noVig: 19.7183 });
    }),
  );

  test(
    'go by the market’s averages where the source gives them, and the first averages stay',
    undone(async () => {
      const read = await settledTip();
      await bring({ markets: [closing([2100, 3300, 3900])] });
      await countLateClosings(later);
      const { noVig } = await read();
      // 2.5 / (2.1 × (1/2.1 + 1/3.3 + 1/3.9)) − 1.
      expect(noVig).toBeCloseTo(100 * (2.5 / (2.1 * (1 / 2.1 + 1 / 3.3 + 1 / 3.9)) - 1), 3);
      await bring({ markets: [closing([5000, 3300, 3900])] });
      expect(await countLateClosings(later)).toBe(0);
      expect((await read()).noVig).toBe(noVig);
    }),
  );

  test(
    'count it anew where they are from before the start, and came in after the fixture was closed and played',
    undone(async () => {
      const read = await settledTip();
      await closeMarkets(later);
      await bring({
        markets: [matchResult('Athletic', 'Wanderers', '2026-03-10T19:58:00.000Z', { bet365: [2200, 3300, 3900] })],
      });
      expect(await countLateClosings(later)).toBe(1);
      expect((await read()).raw).toBeCloseTo(100 * (2.5 / 2.2 - 1), 3);
      await bring({
        markets: [matchResult('Athletic', 'Wanderers', '2026-03-10T19:59:00.000Z', { bet365: [2000, 3400, 4000] })],
      });
      expect([await countLateClosings(later), await countLateClosings(later)]).toEqual([1, 0]);
      expect((await read()).raw).toBe(25);
      await bring({
        markets: [matchResult('Athletic', 'Wanderers', '2026-03-10T20:01:00.000Z', { bet365: [1500, 4400, 7000] })],
      });
      expect(await countLateClosings(later)).toBe(0);
    }),
  );

  test(
    'count it anew without one where the price turns out to have been pulled before the start',
    undone(async () => {
      const read = await settledTip();
      await closeMarkets(later);
      const market = matchResult('Athletic', 'Wanderers', '2026-03-10T19:58:00.000Z', { bet365: [2000, 3300, 3900] });
      await bring({ markets: [market] });
      expect([await countLateClosings(later), (await read()).raw]).toEqual([1, 25]);
      const pulled = market.selections.map(({ prices, ...selection }) => ({
        ...selection,
        prices: prices.map((price) => ({ ...price, price: null, at: '2026-03-10T19:59:00.000Z' })),
      }));
      await bring({ markets: [{ ...market, selections: pulled }] });
      expect([await countLateClosings(later), (await read()).raw]).toEqual([1, null]);
    }),
  );

  test(
    'are no price that a tip could be taken at',
    undone(async () => {
      await bring({ markets: [closing([2100, 3300, 3900])] });
      const { rows } =
        await sql`select 1 from price_change join selection on selection.id = selection_id join market on market.id = market_id join fixture on fixture.id = fixture_id where reference = ${athletic} and odds_thousandths in (2100, 3300, 3900)`.execute(
          database(),
        );
      expect(rows).toEqual([]);
    }),
  );
});

describe('more tips on one fixture than are settled anew in one transaction', () => {
  const many = 101;
  let selectionId = 0;

  beforeAll(async () => {
    const { owner: viewer, reference: portfolioReference } = await openShop('lea', { name: 'Lea Late' }, worldNow);
    const legs = [await offer(athletic, 'match-result', 'home', 'bet365')];
    selectionId = legs[0]?.selectionId ?? 0;
    await publishPastTips(
      Array.from({ length: many }, (_, index) => ({
        ...{ viewer, portfolioReference, at: worldNow },
        input: { idempotencyKey: `tip-${index}`, legs, stakeHundredths: 100 },
      })),
    );
    await bring({ result: { home: 1, away: 0, halfTime: null } });
    expect(await settleDueTips(later)).toBe(many);
  });

  /** Does the work, held up where it first writes into this table, while `body` runs. */
  async function heldUp(table: string, work: () => Promise<number>, body: () => Promise<void>): Promise<number> {
    return onOwnConnection(async (other) => {
      await other.query(`begin; lock table ${table} in share row exclusive mode`);
      const done = work();
      await untilWaiting(1);
      try {
        await body();
      } finally {
        await other.query('commit');
      }
      return done;
    });
  }

  const versions = async () =>
    (
      await sql<{ version: number; tips: number; times: number }>`
        select version, count(*)::int as tips, count(distinct tip_settlement.xmin::text)::int as times from tip_settlement group by version order by version
      `.execute(database())
    ).rows;

  /** Whoever publishes goes on while standings are computed, and sees what was settled anew. */
  const standsFree = (version: number) => async () => {
    await transact(() => sql`select 1 from ledger_head for update nowait`.execute(database()));
    expect((await versions()).at(-1)).toEqual({ version, tips: many, times: 2 });
  };

  test('are counted anew by late closing prices part by part, and hold nobody up who publishes while standings are computed', async () => {
    await bring({ markets: [closing([2100, 3300, 3900])] });
    expect(await heldUp('portfolio_standing', () => countLateClosings(later), standsFree(2))).toBe(many);
    expect(await countLateClosings(later)).toBe(0);
    expect(await storedRollups()).toEqual(await foldedRollups());
  });

  test('are counted once more where closing prices are noted again meanwhile', async () => {
    await noteLateClosings([selectionId]);
    const noted = () => noteLateClosings([selectionId]);
    expect(await heldUp('standing_due', () => countLateClosings(later), noted)).toBe(many);
    expect([await countLateClosings(later), await countLateClosings(later)]).toEqual([many, 0]);
  });

  test('are settled anew by a corrected result in the same way', async () => {
    await bring({ result: { home: 0, away: 1, halfTime: null } });
    expect(await heldUp('portfolio_standing', () => resettleCorrected(later), standsFree(3))).toBe(many);
    expect(await resettleCorrected(later)).toBe(0);
    expect(await storedRollups()).toEqual(await foldedRollups());
  });
});
