import { gather } from '@/lib/platform/gather';

/** Work that is done when it is told so, and what it was given. */
function heldWork() {
  const batches: string[][] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const ask = gather<string>((items) => {
    batches.push(items);
    return new Promise((resolve, reject) => ends.push((failure) => (failure ? reject(failure) : resolve())));
  });
  return { ask, batches, end: (place: number, failure?: Error) => ends[place]?.(failure) };
}

test('what is asked while work is under way is done at once after it, and each asker hears of theirs', async () => {
  const { ask, batches, end } = heldWork();
  const heard: string[] = [];
  const asked = ['a', 'b', 'c'].map((item) => ask(item).then(() => heard.push(item)));
  expect(batches).toEqual([['a']]);
  end(0);
  await asked[0];
  expect([batches, heard]).toEqual([[['a'], ['b', 'c']], ['a']]);
  end(1);
  await Promise.all(asked);
  expect(heard).toEqual(['a', 'b', 'c']);
});

test('work that fails is told to those who asked for it alone, and the next is done', async () => {
  const { ask, batches, end } = heldWork();
  const first = ask('a');
  const second = ask('b');
  end(0, new Error('The disk is full.'));
  await expect(first).rejects.toThrow('The disk is full.');
  end(1);
  await second;
  const third = ask('c');
  end(2);
  await third;
  expect(batches).toEqual([['a'], ['b'], ['c']]);
});
