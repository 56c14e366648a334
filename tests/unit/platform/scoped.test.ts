import { setTimeout as sleep } from 'node:timers/promises';
import { Scoped } from '@/lib/platform/scoped';

const colour = new Scoped<string>('test-colour');
const size = new Scoped<number>('test-size');

test('a value holds for what its body does and awaits, and for nothing beside or after it', async () => {
  const seen = await colour.run('red', async () => {
    await sleep(1);
    return colour.get();
  });
  expect(seen).toBe('red');
  expect(colour.get()).toBeUndefined();
});

test('values hold side by side, and an inner one until its body ends', () => {
  colour.run('red', () => {
    size.run(1, () => {
      colour.run('blue', () => expect([colour.get(), size.get()]).toEqual(['blue', 1]));
      expect([colour.get(), size.get()]).toEqual(['red', 1]);
    });
    expect([colour.get(), size.get()]).toEqual(['red', undefined]);
  });
});

test('bodies that run at once have each their own', async () => {
  const both = await Promise.all(
    ['red', 'blue'].map((each) =>
      colour.run(each, async () => {
        await sleep(1);
        return colour.get();
      }),
    ),
  );
  expect(both).toEqual(['red', 'blue']);
});
