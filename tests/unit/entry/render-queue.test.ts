import { RenderQueue, Ticket } from '@/lib/entry/render-queue';

const limits = { atOnce: 2, waiting: 10, perAddress: 4, waitMilliseconds: 100 };
const pause = (milliseconds = 5) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Renders that last until they are let go, in the order in which they began. */
class Renders {
  readonly began: string[] = [];
  readonly refused: string[] = [];
  readonly #letGo = new Map<string, () => void>();

  constructor(readonly queue: RenderQueue) {}

  ask(address: string, name: string, ticket?: Ticket): Promise<void> {
    const make = () =>
      new Promise<void>((resolve) => {
        this.began.push(name);
        this.#letGo.set(name, resolve);
      });
    return this.queue.run(address, make, ticket).catch((error: Error & { status: number }) => {
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

test('few renders run at once, the others in the order in which they were asked for', async () => {
  const renders = new Renders(new RenderQueue(limits));
  const all = ['a', 'b', 'c', 'd'].map((name) => renders.ask('one', name));
  await pause();
  expect(renders.began).toEqual(['a', 'b']);
  await renders.end('b', 'a', 'c', 'd');
  await Promise.all(all);
  expect(renders.began).toEqual(['a', 'b', 'c', 'd']);
  expect(renders.queue.load).toEqual({ running: 0, waiting: 0 });
});

test('an address that asks for many waits for itself, and cannot take all places', async () => {
  const renders = new Renders(new RenderQueue({ ...limits, waitMilliseconds: 1_000 }));
  const names = Array.from({ length: 20 }, (_, index) => `many ${index}`);
  const all = names.map((name) => renders.ask('many', name));
  await pause();
  all.push(renders.ask('few', 'few 0'));
  await renders.end('many 0', 'many 1', 'many 2', 'few 0', 'many 3', 'many 4', 'many 5');
  await Promise.all(all);
  expect(renders.refused).toEqual(names.slice(6));
  expect(renders.began).toEqual(['many 0', 'many 1', 'many 2', 'few 0', 'many 3', 'many 4', 'many 5']);
});

test('nobody waits for longer than the limit, nor beyond the places that there are', async () => {
  const renders = new Renders(new RenderQueue(limits));
  const all = Array.from({ length: 13 }, (_, index) => renders.ask(`visitor ${index}`, String(index)));
  await pause();
  expect(renders.refused).toEqual(['12']);
  await pause(150);
  expect([renders.refused.length, renders.queue.load]).toEqual([11, { running: 2, waiting: 0 }]);
  await renders.end('0', '1');
  await Promise.all(all);
});

test('what others ask for too is made when the first of them has its turn', async () => {
  const renders = new Renders(new RenderQueue({ ...limits, atOnce: 1, waitMilliseconds: 1_000 }));
  const ticket = new Ticket();
  const all = [
    renders.ask('many', 'a'),
    renders.ask('many', 'b'),
    renders.ask('many', 'c'),
    renders.ask('many', 'shared', ticket),
  ];
  await pause();
  renders.queue.join('few', ticket);
  await renders.end('a', 'b', 'shared', 'c');
  await Promise.all(all);
  expect(renders.began).toEqual(['a', 'b', 'shared', 'c']);
});

test('what nobody waits for any more is not made, and a render that fails gives its place back', async () => {
  const queue = new RenderQueue({ ...limits, atOnce: 1 });
  const renders = new Renders(queue);
  const ticket = new Ticket();
  const first = queue.run('one', async () => {
    await pause(20);
    throw new Error('broken');
  });
  const gone = renders.ask('one', 'gone', ticket);
  queue.abandon(ticket);
  await expect(first).rejects.toThrow('broken');
  await gone;
  const last = renders.ask('one', 'last');
  await pause(20);
  await renders.end('last');
  await last;
  expect(renders.began).toEqual(['last']);
  expect(queue.load).toEqual({ running: 0, waiting: 0 });
});
