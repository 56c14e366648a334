import { Queue, Ticket } from '@/lib/platform/queue';

const limits = { atOnce: 2, waiting: 10, perLine: 4, waitMilliseconds: 100 };
const pause = (milliseconds = 5) => jest.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Pieces of work that last until they are let go, in the order in which they began. */
class Works {
  readonly began: string[] = [];
  readonly refused: string[] = [];
  readonly #letGo = new Map<string, () => void>();

  constructor(readonly queue: Queue) {}

  ask(line: string, name: string, ticket?: Ticket): Promise<void> {
    const work = () =>
      new Promise<void>((resolve) => {
        this.began.push(name);
        this.#letGo.set(name, resolve);
      });
    return this.queue.run(work, line, ticket).catch((error: Error & { status: number }) => {
      expect(error).toMatchObject({ name: 'Failure', status: 503 });
      this.refused.push(name);
    });
  }

  async end(...names: string[]): Promise<void> {
    for (const name of names) {
      this.#letGo.get(name)?.();
      await pause();
    }
  }
}

test('few pieces run at once, the others in the order in which they were asked for', async () => {
  const works = new Works(new Queue(limits));
  const all = ['a', 'b', 'c', 'd'].map((name) => works.ask('one', name));
  await pause();
  expect(works.began).toEqual(['a', 'b']);
  await works.end('b', 'a', 'c', 'd');
  await Promise.all(all);
  expect(works.began).toEqual(['a', 'b', 'c', 'd']);
  expect(works.queue.load).toEqual({ running: 0, waiting: 0 });
});

test('a line that asks for many waits for itself, and cannot take all places', async () => {
  const works = new Works(new Queue({ ...limits, waitMilliseconds: 1_000 }));
  const names = Array.from({ length: 20 }, (_, index) => `many ${index}`);
  const all = names.map((name) => works.ask('many', name));
  await pause();
  all.push(works.ask('few', 'few 0'));
  await works.end('many 0', 'many 1', 'many 2', 'few 0', 'many 3', 'many 4', 'many 5');
  await Promise.all(all);
  expect(works.refused).toEqual(names.slice(6));
  expect(works.began).toEqual(['many 0', 'many 1', 'many 2', 'few 0', 'many 3', 'many 4', 'many 5']);
});

test('nobody waits for longer than the limit, nor beyond the places that there are', async () => {
  const works = new Works(new Queue(limits));
  const all = Array.from({ length: 13 }, (_, index) => works.ask(`visitor ${index}`, String(index)));
  await pause();
  expect(works.refused).toEqual(['12']);
  await pause(150);
  expect([works.refused.length, works.queue.load]).toEqual([11, { running: 2, waiting: 0 }]);
  await works.end('0', '1');
  await Promise.all(all);
});

test('what others ask for too is made when the first of them has its turn', async () => {
  const works = new Works(new Queue({ ...limits, atOnce: 1, waitMilliseconds: 1_000 }));
  const ticket = new Ticket();
  const all = [
    works.ask('many', 'a'),
    works.ask('many', 'b'),
    works.ask('many', 'c'),
    works.ask('many', 'shared', ticket),
  ];
  await pause();
  works.queue.join('few', ticket);
  await works.end('a', 'b', 'shared', 'c');
  await Promise.all(all);
  expect(works.began).toEqual(['a', 'b', 'shared', 'c']);
});

test('what nobody waits for any more is not made, and a piece that fails gives its place back', async () => {
  const queue = new Queue({ ...limits, atOnce: 1 });
  const works = new Works(queue);
  const ticket = new Ticket();
  const first = queue.run(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    throw new Error('broken');
  }, 'one');
  const gone = works.ask('one', 'gone', ticket);
  queue.abandon(ticket);
  const broken = expect(first).rejects.toThrow('broken');
  await pause(25);
  await broken;
  await gone;
  const last = works.ask('one', 'last');
  await pause(20);
  await works.end('last');
  await last;
  expect(works.began).toEqual(['last']);
  expect(queue.load).toEqual({ running: 0, waiting: 0 });
});

test('when all places are taken the longest line gives its last one up to a shorter, and to none that is as long', async () => {
  const works = new Works(new Queue({ atOnce: 1, waiting: 4, waitMilliseconds: 1_000 }));
  const all = ['running', 'a', 'b', 'c', 'd'].map((name) => works.ask('flood', name));
  await pause();
  all.push(works.ask('guest', 'first'), works.ask('guest', 'second'), works.ask('guest', 'third'));
  await pause();
  expect(works.refused).toEqual(['d', 'c', 'third']);
  await works.end('running', 'a', 'first', 'b', 'second');
  await Promise.all(all);
  expect(works.began).toEqual(['running', 'a', 'first', 'b', 'second']);
});

test('what others wait for too is not given up for a shorter line', async () => {
  const works = new Works(new Queue({ atOnce: 1, waiting: 3, waitMilliseconds: 1_000 }));
  const shared = new Ticket();
  const all = [works.ask('flood', 'running'), works.ask('flood', 'a'), works.ask('flood', 'b')];
  all.push(works.ask('flood', 'shared', shared));
  works.queue.join('guest', shared);
  all.push(works.ask('third', 'c'));
  await pause();
  expect(works.refused).toEqual(['b']);
  await works.end('running', 'a', 'shared', 'c');
  await Promise.all(all);
});

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
  await pause();
  expect(begun).toEqual([0, 1, 2]);
  for (const { release } of holds) release();
  await pause();
  await Promise.all(runs.slice(0, 4));
  expect(begun).toEqual([0, 1, 2, 3]);
});

test('goes on after work that fails', async () => {
  const queue = new Queue({ atOnce: 1, waiting: 5 });
  const runs = [queue.run(() => Promise.reject(new Error('no'))), queue.run(async () => 'yes')];
  await expect(runs[0]).rejects.toThrow('no');
  await pause();
  await expect(runs[1]).resolves.toBe('yes');
  await expect(queue.run(async () => 'again')).resolves.toBe('again');
});
