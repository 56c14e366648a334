import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { pruneHits, takeHit } from '@/lib/platform/rate-limit';
import { asOwner, onTestDatabase } from '../support/database';
import { worldNow } from '../support/world';

onTestDatabase();

const limit = { hits: 3, windowSeconds: 60 };
const after = (seconds: number) => new Date(worldNow.getTime() + seconds * 1000);
const take = async (key: string, seconds: number[]) => {
  const taken: boolean[] = [];
  for (const second of seconds) taken.push(await takeHit(key, limit, after(second)));
  return taken;
};

describe('the rate limit', () => {
  test('lets so many hits through in a window, and again in the next', async () => {
    expect(await take('a', [0, 1, 2, 3, 59, 60, 61, 62, 63])).toEqual([true, true, true, false, false, true, true, true, false]);
  });

  test('counts each key for itself, whatever it is made of', async () => {
    expect(await take('b', [0, 0, 0, 0])).toEqual([true, true, true, false]);
    for (const key of ['c', '', "'; drop table rate_limit; --", '💥'.repeat(100)]) expect(await take(key, [0])).toEqual([true]);
  });

  test('loses no hit of many at once', async () => {
    const taken = await Promise.all(Array.from({ length: 40 }, () => takeHit('d', { hits: 25, windowSeconds: 60 }, worldNow)));
    expect(taken.filter(Boolean)).toHaveLength(25);
  });

  test('forgets counters an hour after their window began', async () => {
    await asOwner(sql`truncate rate_limit`);
    await take('old', [0]);
    await take('young', [1]);
    await pruneHits(after(3_600));
    expect((await sql`select key from rate_limit order by key`.execute(database())).rows).toEqual([{ key: 'old' }, { key: 'young' }]);
    await pruneHits(after(3_601));
    expect((await sql`select key from rate_limit order by key`.execute(database())).rows).toEqual([{ key: 'young' }]);
  });
});
