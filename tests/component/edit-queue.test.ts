import type * as jotai from 'jotai';
import type * as editQueue from '@/components/state/edit-queue';

const database = new Map<string, unknown>();
let hasDatabase = true;
jest.mock('idb-keyval', () => ({
  // Where there is no indexedDB this throws at once.
  createStore: () => {
    if (!hasDatabase) throw new TypeError("Cannot read properties of undefined (reading 'open')");
    return 'store';
  },
  get: async (key: string) => database.get(key),
  update: async (key: string, change: (old: unknown) => unknown) => void database.set(key, change(database.get(key))),
}));

const showFeedback = jest.fn();
jest.mock('@/components/state/modals', () => ({
  showFeedback: (feedback: unknown) => showFeedback(feedback) as unknown,
}));

const mockJotai = jest.requireActual<typeof jotai>('jotai');
const mockViewerAtom = mockJotai.atom(0);
jest.mock('jotai', () => mockJotai);

let member: string | null = 'ann';
jest.mock('@/components/state/viewer', () => ({
  viewerAtom: mockViewerAtom,
  viewerNow: () => (member === null ? { kind: 'guest' } : { kind: 'member', user: { username: member } }),
}));

type Sent = { method: string; url: string; key: string; body: unknown };
type Tab = typeof editQueue;

const sent: Sent[] = [];
let answers: (number | 'lost')[] = [];
let isOnline = true;

/** One tab of the browser: a module of its own over the database that all share. */
async function openTab(): Promise<Tab> {
  let tab: Tab | undefined;
  await jest.isolateModulesAsync(async () => {
    tab = await import('@/components/state/edit-queue');
  });
  if (!tab) throw new Error('The tab was not opened.');
  return tab;
}

const follow = (reference: string) =>
  ['POST /user/following/{reference}', { params: { reference } }, `Following ${reference}`] as const;
const waiting = () => ((database.get('edits') ?? []) as { path: string }[]).map(({ path }) => path);
const paths = () => sent.map(({ url }) => url.replace('/api/user/following/', ''));
const goOnline = (state: boolean) => {
  isOnline = state;
  window.dispatchEvent(new Event(state ? 'online' : 'offline'));
};
const settle = async () => {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
};

beforeEach(() => {
  jest.useFakeTimers();
  database.clear();
  hasDatabase = true;
  sent.length = 0;
  answers = [];
  member = 'ann';
  isOnline = true;
  showFeedback.mockClear();
  jest.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
  Object.defineProperty(AbortSignal, 'timeout', { configurable: true, value: () => new AbortController().signal });
  Object.defineProperty(navigator, 'locks', { configurable: true, value: newLocks() });
  globalThis.fetch = jest.fn(async (url: RequestInfo | URL, init?: RequestInit) => {
    const headers = init?.headers as Record<string, string>;
    sent.push({
      method: init?.method ?? '',
      url: String(url),
      key: headers['idempotency-key'] ?? '',
      body: init?.body,
    });
    const status = answers.shift() ?? 200;
    if (status === 'lost') throw new TypeError('Failed to fetch');
    return {
      ok: status < 400,
      status,
      statusText: '',
      headers: new Headers(),
      text: async () => JSON.stringify(status < 400 ? { done: true } : { message: 'No such portfolio.' }),
    } as Response;
  });
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** The lock of the browser, held by one tab at a time. */
function newLocks() {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    request: <T>(_name: string, act: () => Promise<T>): Promise<T> => {
      const mine = turn.then(act);
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}

test('online an edit is sent at once, with a name of its own', async () => {
  const tab = await openTab();
  expect(await tab.submitEdit(...follow('ann'))).toEqual({ kind: 'saved', answer: { done: true } });
  expect(await tab.submitEdit(...follow('bob'))).toEqual({ kind: 'saved', answer: { done: true } });
  expect(sent.map(({ key }) => /^[0-9a-f]{32}$/.test(key))).toEqual([true, true]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  expect(waiting()).toEqual([]);
});

test('offline edits wait, and are sent once and in their order when the connection is back, whichever of two tabs made them', async () => {
  const [one, other] = [await openTab(), await openTab()];
  const stops = [one.startEditQueue(), other.startEditQueue()];
  goOnline(false);
  expect(await one.submitEdit(...follow('ann'))).toEqual({ kind: 'queued' });
  expect(await other.submitEdit(...follow('bob'))).toEqual({ kind: 'queued' });
  expect(
    await one.submitEdit(
      'PUT /user/following/{reference}',
      { params: { reference: 'ann' }, body: { maxStake: 5 } },
      'The max stake for ann',
    ),
  ).toEqual({ kind: 'queued' });
  expect(sent).toEqual([]);
  goOnline(true);
  await settle();
  expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['POST', '/api/user/following/ann', undefined],
    ['POST', '/api/user/following/bob', undefined],
    ['PUT', '/api/user/following/ann', '{"maxStake":5}'],
  ]);
  expect(waiting()).toEqual([]);
  for (const stop of stops) stop();
});

test('an edit whose answer was lost is sent again under the same name', async () => {
  const tab = await openTab();
  answers = ['lost'];
  expect(await tab.submitEdit(...follow('ann'))).toEqual({ kind: 'queued' });
  expect(waiting()).toEqual(['/user/following/ann']);
  await jest.advanceTimersByTimeAsync(30_000);
  expect(paths()).toEqual(['ann', 'ann']);
  expect(sent[0]?.key).toBe(sent[1]?.key);
  expect(waiting()).toEqual([]);
});

test('a page that was closed sends its edits when it is opened again', async () => {
  const closed = await openTab();
  goOnline(false);
  await closed.submitEdit(...follow('ann'));
  goOnline(true);
  const opened = await openTab();
  const stop = opened.startEditQueue();
  await settle();
  expect(paths()).toEqual(['ann']);
  stop();
});

test('a refused edit is dropped with a word, and the next ones go on', async () => {
  const tab = await openTab();
  const heard: string[] = [];
  tab.watchReplay(({ what }, outcome) => heard.push(`${what}: ${outcome}`));
  const stop = tab.startEditQueue();
  goOnline(false);
  await tab.submitEdit(...follow('gone'));
  await tab.submitEdit(...follow('bob'));
  answers = [404];
  goOnline(true);
  await settle();
  expect(paths()).toEqual(['gone', 'bob']);
  expect(waiting()).toEqual([]);
  expect(showFeedback.mock.calls).toEqual([
    [
      {
        title: 'Error',
        text: 'Following gone, asked for while you were offline, was refused: No such portfolio.',
        kind: 'error',
      },
    ],
  ]);
  expect(heard).toEqual(['Following gone: refused', 'Following bob: saved']);
  stop();
});

test.each([401, 429, 500, 503])(
  'an edit that is answered with %d waits, and keeps those behind it waiting',
  async (status) => {
    const tab = await openTab();
    const stop = tab.startEditQueue();
    goOnline(false);
    await tab.submitEdit(...follow('ann'));
    await tab.submitEdit(...follow('bob'));
    answers = [status, status];
    goOnline(true);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(new Set(paths())).toEqual(new Set(['ann']));
    expect(waiting()).toEqual(['/user/following/ann', '/user/following/bob']);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(waiting()).toEqual([]);
    expect(paths().at(-1)).toBe('bob');
    stop();
  },
);

test('online a refusal is the caller’s to tell', async () => {
  const tab = await openTab();
  answers = [409];
  await expect(tab.submitEdit(...follow('ann'))).rejects.toMatchObject({ status: 409, message: 'No such portfolio.' });
  expect([waiting(), showFeedback.mock.calls]).toEqual([[], []]);
});

test('an edit is sent for the member who made it, and for nobody else', async () => {
  const tab = await openTab();
  const stop = tab.startEditQueue();
  goOnline(false);
  await tab.submitEdit(...follow('ann'));
  member = 'bob';
  goOnline(true);
  await settle();
  expect(sent).toEqual([]);
  member = 'ann';
  mockJotai.getDefaultStore().set(mockViewerAtom, (count) => count + 1);
  await settle();
  expect(paths()).toEqual(['ann']);
  stop();
});

test('nobody who is not signed in can edit', async () => {
  member = null;
  await expect((await openTab()).submitEdit(...follow('ann'))).rejects.toThrow('Log in first, then try again.');
});

test('a browser without a database says so offline, and sends online as ever', async () => {
  hasDatabase = false;
  const tab = await openTab();
  expect(await tab.submitEdit(...follow('ann'))).toMatchObject({ kind: 'saved' });
  goOnline(false);
  await expect(tab.submitEdit(...follow('bob'))).rejects.toThrow(
    'This browser cannot save changes while it is offline. Try again when you are online.',
  );
});

test('the queue has an end, and says so', async () => {
  const tab = await openTab();
  goOnline(false);
  for (let number = 0; number < tab.maxWaiting; number += 1) await tab.submitEdit(...follow(`p${number}`));
  await expect(tab.submitEdit(...follow('one-more'))).rejects.toThrow(
    '100 changes are already waiting to be sent. Go online, then try again.',
  );
  expect(waiting()).toHaveLength(tab.maxWaiting);
});
