import { importFixtures } from '@/lib/fixtures/commands';
import { settleDueTips, publishTip } from '../support/moments';
import { getTip } from '@/lib/tips/queries';
import { onTestDatabase, undone } from '../support/database';
import { offer, openShop } from '../support/members';
import { match, worldNow } from '../support/world';

onTestDatabase();

const athletic = 'athletic-v-wanderers-2026-03-10';
const later = new Date('2026-03-11T12:00:00.000Z');

const minutesAway = (minutes: number) => new Date(worldNow.getTime() + 60_000 * minutes).toISOString();

async function publishedTip() {
  const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
  const tip = await publishTip(
    owner,
    reference,
    { idempotencyKey: 'one', legs: [await offer(athletic, 'match-result', 'home', 'bet365')], stakeHundredths: 100 },
    worldNow,
  );
  return () => getTip(owner, reference, tip.reference, later);
}

async function playFrom(startsAt: string): Promise<void> {
  const fixture = match('Athletic', 'Wanderers', startsAt, { result: { home: 1, away: 0, halfTime: null } });
  expect((await importFixtures([{ line: 2, fixture }], 'football-data', later)).rejections).toEqual([]);
}

describe('a fixture that started before its announced start', () => {
  test(
    'gives back the stake of a tip that was taken after it had',
    undone(async () => {
      const read = await publishedTip();
      await playFrom(minutesAway(-1));
      expect(await settleDueTips(later)).toBe(1);
      expect(await read()).toMatchObject({
        settlements: [{ outcome: 'void', profitHundredths: 0 }],
        legs: [{ outcome: 'void', rule: 'Taken after the actual start, the stake was returned.' }],
      });
    }),
  );

  test(
    'settles a tip that was taken before as usual',
    undone(async () => {
      const read = await publishedTip();
      await playFrom(minutesAway(1));
      expect(await settleDueTips(later)).toBe(1);
      expect(await read()).toMatchObject({ settlements: [{ outcome: 'won', profitHundredths: 150 }] });
    }),
  );
});
