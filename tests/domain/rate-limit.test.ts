import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import { countHit, hasEnded, networkOf, pruneHits } from '@/lib/platform/rate-limit';
import { asOwner, onTestDatabase } from '../support/database';
import { countQueries } from '../support/queries';
import { worldNow } from '../support/world';

onTestDatabase();

const limit = { hits: 3, windowSeconds: 60 };
const after = (seconds: number) => new Date(worldNow.getTime() + seconds * 1000);
const take = async (key: string, seconds: number[]) => {
  const taken: boolean[] = [];
  for (const second of seconds) taken.push(await countHit(key, limit, after(second)));
  return taken;
};

const kept = async () =>
  (await sql<{ count: number }>`select count(*)::int as count from rate_limit`.execute(database())).rows[0]?.count;

describe('the rate limit', () => {
  test('lets so many hits through in a window, and again in the next', async () => {
    expect(await take('a', [0, 1, 2, 3, 59, 60, 61, 62, 63])).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  test('counts each key for itself, whatever it is made of', async () => {
    expect(await take('b', [0, 0, 0, 0])).toEqual([true, true, true, false]);
    for (const key of ['c', '', "'; drop table rate_limit; --", '💥'.repeat(100)])
      expect(await take(key, [0])).toEqual([true]);
  });

  test('loses no hit of many at once', async () => {
    const taken = await Promise.all(
      Array.from({ length: 40 }, () => countHit('d', { hits: 25, windowSeconds: 60 }, worldNow)),
    );
    expect(taken.filter(Boolean)).toHaveLength(25);
  });

  test('asks the database no more about what is beyond its limit, until its window ends', async () => {
    const hit = (second: number, hits = 2) =>
      countHit('flood', { hits, windowSeconds: 60, network: '192.0.2.77' }, after(second));
    for (const second of [0, 1, 2]) await hit(second);
    const asked = await countQueries(async () => {
      for (let second = 3; second < 60; second += 1) expect(await hit(second)).toBe(false);
    });
    expect(asked).toBe(0);
    expect(await hit(10, 3)).toBe(false);
    expect(await hit(60)).toBe(true);
  });

  test('holds no hit against anybody that was undone', async () => {
    const hit = () => countHit('undone', { hits: 1, windowSeconds: 60 }, worldNow);
    await transact(async () => {
      expect([await hit(), await hit()]).toEqual([true, false]);
      throw new Error('Undone.');
    }).catch(() => undefined);
    expect(await hit()).toBe(true);
  });

  test('forgets counters when their own window ends, piece by piece', async () => {
    await asOwner(sql`truncate rate_limit`);
    await take('old', [0]);
    for (const name of ['one', 'two', 'three']) await take(name, [1]);
    await countHit('by the day', { hits: 1, windowSeconds: 86_400 }, worldNow);
    await pruneHits(after(60));
    expect(await kept()).toBe(5);
    // One that is counted anew has another window.
    await take('old', [61]);
    await pruneHits(after(62), { atOnce: 2 });
    expect(await kept()).toBe(2);
    expect(await take('old', [62, 62, 62])).toEqual([true, true, false]);
    await pruneHits(after(122));
    expect(await kept()).toBe(1);
  });

  test('forgets counters of the release before, which tell no end, a day after their window began', async () => {
    await asOwner(sql`truncate rate_limit`);
    await take('elder', [0]);
    await take('young', [1]);
    await asOwner(sql`update rate_limit set ends_at = null`);
    await pruneHits(after(86_400));
    expect(await kept()).toBe(2);
    await pruneHits(after(86_401));
    expect(await kept()).toBe(1);
    expect(await take('young', [1, 1, 1])).toEqual([true, true, false]);
  });

  test('keeps counters that the release before began anew beside the end of their window before', async () => {
    await asOwner(sql`truncate rate_limit`);
    await take('shared', [0]);
    await asOwner(sql`update rate_limit set window_start = ${after(60)}, hits = 3`);
    await pruneHits(after(61));
    expect(await kept()).toBe(1);
    expect(await take('shared', [62])).toEqual([false]);
    await pruneHits(after(121));
    expect(await kept()).toBe(0);
    await take('left', [0]);
    await asOwner(sql`update rate_limit set window_start = ${after(60)}, hits = 3`);
    await pruneHits(after(60 + 86_400));
    expect(await kept()).toBe(1);
    await pruneHits(after(61 + 86_400));
    expect(await kept()).toBe(0);
  });

  test('finds what is to be forgotten by its indexes', async () => {
    await transact(async () => {
      await sql`set local enable_seqscan = off`.execute(database());
      const { rows } = await sql`explain select key from rate_limit where ${hasEnded(worldNow)}`.execute(database());
      for (const index of ['rate_limit_ends', 'rate_limit_starts']) expect(JSON.stringify(rows)).toContain(index);
    });
  });

  test('keeps names under hashes of one length, however long they are', async () => {
    await asOwner(sql`truncate rate_limit`);
    await take('x'.repeat(100_000), [0]);
    await countHit('short', { ...limit, network: '192.0.2.1' }, worldNow);
    expect(
      (await sql<{ length: number }>`select distinct length(key) as length from rate_limit`.execute(database())).rows,
    ).toEqual([{ length: 43 }]);
  });

  test('counts the addresses of one line together', async () => {
    const of = (network: string) => countHit('e', { hits: 1, windowSeconds: 60, network }, worldNow);
    expect([await of('192.0.2.1'), await of('::ffff:192.0.2.1'), await of('192.0.2.2')]).toEqual([true, false, true]);
    expect([await of('2001:db8:1:2::1'), await of('2001:DB8:1:2:ffff::9'), await of('2001:db8:1:3::1')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test.each([
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0001:0002:0003:0004:0005:0006', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5::', '1:2:3:4::/64'],
    ['10.0.0.1', '10.0.0.1'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('knows the network of %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
