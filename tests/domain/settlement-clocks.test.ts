import { sql } from 'kysely';
import { importFixtures } from '@/lib/fixtures/commands';
import { database } from '@/lib/platform/database';
import { publishPastTips } from '@/lib/tips/commands';
import { onTestDatabase } from '../support/database';
import { offer, openShop } from '../support/members';
import { settleDueTips } from '../support/moments';
import { foldedRollups, storedRollups } from '../support/rollups';
import { match, worldNow } from '../support/world';

onTestDatabase();

const startsAt = '2026-03-10T20:00:00.000Z';
const tomorrow = new Date('2026-03-11T12:00:00.000Z');
const overmorrow = new Date('2026-03-12T12:00:00.000Z');
const later = new Date('2026-03-12T12:01:00.000Z');

test('while the clock stands a day before the last settlement no tip is settled, and afterwards the rest is, once, with statistics that are the fold of the tips', async () => {
  const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
  const legs = await Promise.all(
    ['home', 'away'].map((key) => offer('athletic-v-wanderers-2026-03-10', 'match-result', key, 'bet365')),
  );
  await publishPastTips(
    legs.map((leg, index) => ({
      viewer: owner,
      portfolioReference: reference,
      at: worldNow,
      input: { idempotencyKey: `${index}`, legs: [leg], stakeHundredths: 100 },
    })),
  );
  await importFixtures(
    [{ line: 2, fixture: match('Athletic', 'Wanderers', startsAt, { result: { home: 2, away: 0, halfTime: null } }) }],
    'football-data',
    tomorrow,
  );
  expect(await settleDueTips(overmorrow, { batchSize: 1, seconds: 0 })).toBe(1);
  await expect(settleDueTips(tomorrow, { batchSize: 1, seconds: 0 })).rejects.toMatchObject({ kind: 'unavailable' });
  expect(await settleDueTips(later, { batchSize: 1, seconds: 0 })).toBe(1);
  const { rows } = await sql<{ at: Date }>`select settled_at as at from tip_settlement order by ordinal`.execute(
    database(),
  );
  expect(rows.map(({ at }) => at)).toEqual([overmorrow, later]);
  expect(await storedRollups()).toEqual(await foldedRollups());
});
