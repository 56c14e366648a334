import { cached, collectReads, forget, forgetEverything, Reads, reads } from '@/lib/platform/cache';
import { onTestDatabase } from '../support/database';

onTestDatabase();
beforeEach(() => forgetEverything());

async function readsOf(body: () => Promise<unknown>): Promise<Reads> {
  const into = new Reads();
  await collectReads(into, body).catch(() => undefined);
  return into;
}

const inner = () => cached('inner', 30, ['inner'], async () => 1);
const outer = () => cached('outer', 60, ['outer'], inner);

const secondsLeft = ({ expiresAt }: Reads) => Math.round((expiresAt - performance.now()) / 1000);

test('a read tells its tags and the shortest of its times, made now, kept already, or joined', async () => {
  const [first, joined] = await Promise.all([readsOf(outer), readsOf(outer)]);
  for (const found of [
    first,
    joined,
    await readsOf(outer),
    await readsOf(async () => Promise.all([outer(), inner()])),
  ]) {
    expect([[...found.tags].sort(), secondsLeft(found), found.isCurrent]).toEqual([['inner', 'outer'], 30, true]);
  }
});

test('nothing read has no tag and no end', async () => {
  const found = await readsOf(async () => 1);
  expect([found.tags.size, found.expiresAt, found.isCurrent]).toEqual([0, Number.POSITIVE_INFINITY, true]);
});

test('what fails tells its tags too', async () => {
  const failing = () =>
    cached('fails', 60, ['fails'], async () => {
      await inner();
      throw new Error('no');
    });
  expect([...(await readsOf(failing)).tags].sort()).toEqual(['fails', 'inner']);
  expect([...(await readsOf(async () => Promise.all([failing(), failing()]))).tags].sort()).toEqual(['fails', 'inner']);
});

test('what is read without being kept is declared', async () => {
  const found = await readsOf(async () => reads(['a', 'b'], 5));
  expect([[...found.tags], secondsLeft(found)]).toEqual([['a', 'b'], 5]);
  expect(() => reads(['nobody collects'], 5)).not.toThrow();
});

test('a tag that is forgotten after the work began makes it stale, and no other tag does', async () => {
  const found = await readsOf(outer);
  await forget(['other']);
  expect(found.isCurrent).toBe(true);
  await forget(['inner']);
  expect(found.isCurrent).toBe(false);
  expect((await readsOf(outer)).isCurrent).toBe(true);
});

test('what was read inside is forgotten outside as well', async () => {
  let made = 0;
  const counted = () =>
    cached('counted', 60, ['outer'], async () => {
      await inner();
      return (made += 1);
    });
  expect([await counted(), await counted()]).toEqual([1, 1]);
  await forget(['inner']);
  expect(await counted()).toBe(2);
});

test('two pieces of work at once do not mix what they read', async () => {
  const slow = (tag: string) =>
    readsOf(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await cached(tag, 60, [tag], async () => tag);
    });
  expect((await Promise.all(['x', 'y', 'z'].map(slow))).map(({ tags }) => [...tags])).toEqual([['x'], ['y'], ['z']]);
});
