import { sql } from 'kysely';
import { importFixtures } from '@/lib/fixtures/commands';
import type { FeedMarket } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import { TimeRange } from '@/lib/reference/schema';

import { getStatistics } from '@/lib/stats/queries';
import { onTestDatabase, undone } from '../support/database';
import { offer, openShop } from '../support/members';
import { countLateClosings, publishTip, settleDueTips } from '../support/moments';
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
