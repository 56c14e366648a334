import { Queue } from '@/lib/platform/queue';

function held() {
  let release: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (release = resolve));
  return { done, release };
}

test('runs so many at once, the others in the order they came, and refuses those beyond', async () => {
  const queue = new Queue({ atOnce: 2, waiting: 2 });
  const begun: number[] = [];
  const holds = Array.from({ length: 5 }, held);
  const runs = holds.map(({ done }, place) => queue.run(async () => (begun.push(place), done)));
  await expect(runs[4]).rejects.toMatchObject({ kind: 'unavailable', status: 503 });
  expect(begun).toEqual([0, 1]);
  holds[1]?.release();
  await runs[1];
  expect(begun).toEqual([0, 1, 2]);
  for (const { release } of holds) release();
  await Promise.all(runs.slice(0, 4));
  expect(begun).toEqual([0, 1, 2, 3]);
});

test('goes on after work that fails', async () => {
  const queue = new Queue({ atOnce: 1, waiting: 5 });
  const runs = [queue.run(() => Promise.reject(new Error('no'))), queue.run(async () => 'yes')];
  await expect(runs[0]).rejects.toThrow('no');
  await expect(runs[1]).resolves.toBe('yes');
  await expect(queue.run(async () => 'again')).resolves.toBe('again');
});
