import { getDefaultStore } from 'jotai';
import { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { TextDecoder as NodeTextDecoder, TextEncoder as NodeTextEncoder } from 'node:util';
import { setUnread, watchUnread } from '@/components/state/unread';
import { nextTurn, tellUnread, unreadAtom } from '@/components/state/unread-count';
import { type Identity, showGuest, showMember } from '@/components/state/viewer';

// What browsers have and jsdom has not.
Object.assign(globalThis, { TextDecoder: NodeTextDecoder });
const encoder = new NodeTextEncoder();

type Answer = (unread: number | Error) => Promise<void>;

let looks: Answer[] = [];
let streams: { tell: (name: 'state' | 'change', facts?: { unread: number }) => Promise<void>; end: () => void }[] = [];

const settle = (milliseconds = 0) => jest.advanceTimersByTimeAsync(milliseconds);
const opened = () => settle(2_000);
/** The longest that a change waits for its look, and how long none comes after one. */
const spread = () => settle(2_000);
const rest = () => settle(3_000);
const unread = () => getDefaultStore().get(unreadAtom);

/** A browser whose calls are answered by hand, and whose streams tell what they are given. */
function answerByHand(): void {
  looks = [];
  streams = [];
  global.fetch = jest.fn(async (url: string) => {
    if (url.startsWith('/api/stream')) {
      let end: () => void = () => undefined;
      const body = new NodeReadableStream<Uint8Array>({
        start: (controller) => {
          end = () => controller.close();
          streams.push({
            end: () => end(),
            tell: async (name, facts) => {
              const data = JSON.stringify({ topic: 'news', version: 1, ...(facts && { facts }) });
              controller.enqueue(encoder.encode(`id: abcdef01-1\nevent: ${name}\ndata: ${data}\n\n`));
              await settle();
            },
          });
        },
      });
      return { ok: true, status: 200, body } as unknown as Response;
    }
    expect(url).toBe('/api/user/notifications/unread');
    return new Promise<Response>((resolve, reject) => {
      looks.push(async (count) => {
        if (count instanceof Error) reject(count);
        else
          resolve({
            ok: true,
            status: 200,
            text: async () => JSON.stringify({ unread: count }),
          } as Response);
        await settle();
      });
    });
  }) as unknown as typeof fetch;
}

/** The channel of the tabs, beside one that has the stream already. */
class Channel extends EventTarget {
  static opened: Channel[] = [];
  constructor() {
    super();
    Channel.opened.push(this);
  }
  postMessage(): void {}
  close(): void {}
  async hear(username: string | null, unread: number): Promise<void> {
    const news = { topic: 'news', kind: 'state', facts: { unread } };
    this.dispatchEvent(new MessageEvent('message', { data: { kind: 'heard', username, news } }));
    await settle();
  }
}

function openAnotherTab(): () => void {
  Object.assign(globalThis, { BroadcastChannel: Channel });
  Object.defineProperty(navigator, 'locks', {
    value: { request: () => new Promise(() => undefined), query: async () => ({ held: [], pending: [] }) },
    configurable: true,
  });
  return () => {
    Reflect.deleteProperty(globalThis, 'BroadcastChannel');
    Reflect.deleteProperty(navigator, 'locks');
  };
}

const member = (username: string) => showMember(0, { user: { username }, portfolios: [] } as unknown as Identity);

let stop: () => void = () => undefined;

beforeEach(() => {
  jest.useFakeTimers();
  answerByHand();
  member('ann');
  stop = watchUnread('ann');
});
afterEach(() => {
  stop();
  jest.useRealTimers();
});

/** The count that comes with the member. */
const arrive = (count: number) => tellUnread('ann', count, nextTurn());

test('news that come between the member and the stream are counted, without a call', async () => {
  arrive(2);
  expect(unread()).toBe(2);
  await opened();
  await streams[0]?.tell('state', { unread: 3 });
  expect([unread(), looks.length, streams.length]).toEqual([3, 0, 1]);
});

test('a count that is answered late does not take back what was told since', async () => {
  const turn = nextTurn();
  await opened();
  await streams[0]?.tell('state', { unread: 3 });
  tellUnread('ann', 2, turn);
  expect(unread()).toBe(3);
});

test('a change that comes while a look is under way waits for its answer', async () => {
  await opened();
  await streams[0]?.tell('change');
  await spread();
  await streams[0]?.tell('change');
  await settle(10_000);
  expect(looks).toHaveLength(1);
  await looks[0]?.(1);
  await rest();
  await spread();
  await looks[1]?.(2);
  expect([unread(), looks.length]).toEqual([2, 2]);
});

test('of ten changes at once two looks come: one after a moment of its own, one more after a rest', async () => {
  arrive(1);
  await opened();
  for (let count = 0; count < 10; count += 1) await streams[0]?.tell('change');
  await spread();
  expect(looks).toHaveLength(1);
  for (let count = 0; count < 10; count += 1) await streams[0]?.tell('change');
  await looks[0]?.(4);
  expect([unread(), looks.length]).toEqual([4, 1]);
  await settle(3_000);
  await spread();
  await looks[1]?.(5);
  await settle(60_000);
  expect([unread(), looks.length]).toEqual([5, 2]);
});

test('a look that fails takes nothing back, and the next change is looked at', async () => {
  arrive(3);
  await opened();
  await streams[0]?.tell('change');
  await spread();
  await looks[0]?.(new Error('refused'));
  expect(unread()).toBe(3);
  await settle(3_000);
  await streams[0]?.tell('change');
  await spread();
  await looks[1]?.(4);
  expect(unread()).toBe(4);
});

test('a stream that opens again says what came meanwhile', async () => {
  arrive(0);
  await opened();
  await streams[0]?.tell('state', { unread: 0 });
  streams[0]?.end();
  await settle(3_000);
  await streams[1]?.tell('change', { unread: 1 });
  expect([unread(), looks.length]).toEqual([1, 0]);
});

test('nobody sees the count of the one who was signed in before', async () => {
  arrive(7);
  expect(unread()).toBe(7);
  stop();
  showGuest();
  expect(unread()).toBe(0);
  member('bob');
  expect(unread()).toBe(0);
  setUnread(1);
  expect(unread()).toBe(1);
});

test('whoever takes over from another member has a stream of their own', async () => {
  await opened();
  member('ann');
  await opened();
  expect(streams).toHaveLength(1);
  member('bob');
  await opened();
  expect(streams).toHaveLength(2);
});

test('what another tab was told counts, unless it was told to another member: then this one asks', async () => {
  stop();
  const close = openAnotherTab();
  stop = watchUnread('ann');
  await settle();
  const [tab] = Channel.opened;
  await tab?.hear('ann', 3);
  expect([unread(), looks.length]).toEqual([3, 0]);
  await tab?.hear('bob', 9);
  await spread();
  expect([unread(), looks.length]).toEqual([3, 1]);
  await looks[0]?.(4);
  expect(unread()).toBe(4);
  close();
});
