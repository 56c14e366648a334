import { streamText } from '@/lib/entry/download';

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('a reader who lets go while a piece is being made is no failure, and what is made ends', async () => {
  const failures: unknown[] = [];
  let ended = false;
  async function* slowly() {
    try {
      for (let piece = 0; ; piece += 1) {
        yield `${piece}`.padEnd(40_000);
        await pause(20);
      }
    } finally {
      ended = true;
    }
  }
  const reader = streamText(slowly(), (error) => failures.push(error)).getReader();
  await reader.read();
  await pause(5);
  await reader.cancel();
  await pause(60);
  expect([failures, ended]).toEqual([[], true]);
});

test('a failure breaks the text off and is told', async () => {
  const failures: unknown[] = [];
  async function* broken() {
    yield 'the beginning';
    throw new Error('broken');
  }
  const reader = streamText(broken(), (error) => failures.push(error)).getReader();
  await expect(reader.read()).rejects.toThrow('broken');
  expect(failures).toHaveLength(1);
});
