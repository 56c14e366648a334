const before = 'https://push.example.com/before';
const after = 'https://push.example.com/after';
const key = Uint8Array.of(4, 251, 255);
const publicKey = 'BPv_';

const kept = new Map<string, string>();
const calls: unknown[] = [];
const statuses: (number | 'lost')[] = [];
let current: PushSubscription | null = null;

const subscription = (endpoint: string) =>
  ({
    endpoint,
    options: { userVisibleOnly: true, applicationServerKey: key.buffer },
    toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh: 'point', auth: 'word' } }),
  }) as unknown as PushSubscription;
const subscribe = jest.fn(async () => subscription(after));

Object.assign(globalThis, {
  self: { registration: { pushManager: { subscribe, getSubscription: async () => current } } },
  caches: {
    open: async () => ({
      match: async (place: string) => (kept.has(place) ? new Response(kept.get(place)) : undefined),
      put: async (place: string, response: Response) => void kept.set(place, await response.text()),
      delete: async (place: string) => kept.delete(place),
    }),
  },
  fetch: async (path: string, { method, body, credentials }: RequestInit) => {
    calls.push([method, path, credentials, JSON.parse(String(body))]);
    const status = statuses.shift() ?? 200;
    if (status === 'lost') throw new TypeError('Failed to fetch');
    return new Response('{}', { status });
  },
});

const load = async () => import('../../../worker/renewed-push');
const known = async () => (await import('@/components/state/push-known')).knownPush();
const keep = async (endpoint: string) =>
  (await import('@/components/state/push-known')).keepKnownPush({ endpoint, publicKey });
const told = (from: string) => [
  'PUT',
  '/api/user/push',
  'omit',
  { before: from, subscription: { endpoint: after, keys: { p256dh: 'point', auth: 'word' } } },
];

beforeEach(() => {
  kept.clear();
  for (const list of [calls, statuses]) list.length = 0;
  current = null;
  subscribe.mockClear();
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

test('a renewed subscription is told by the old address, and kept as the one that is told', async () => {
  const { renewPush } = await load();
  await renewPush({ oldSubscription: subscription(before), newSubscription: subscription(after) });
  expect(calls).toEqual([told(before)]);
  expect(await known()).toEqual({ endpoint: after, publicKey });
  expect(subscribe).not.toHaveBeenCalled();
});

test('a browser that only says that the old one is over subscribes anew with the same key', async () => {
  const { renewPush } = await load();
  await keep(before);
  await renewPush({});
  expect(subscribe.mock.calls).toEqual([[{ userVisibleOnly: true, applicationServerKey: key }]]);
  expect(calls).toEqual([told(before)]);
});

test('nothing is asked of a browser that was never told', async () => {
  const { renewPush, tellMissedRenewal } = await load();
  await renewPush({});
  await tellMissedRenewal();
  expect([subscribe.mock.calls, calls]).toEqual([[], []]);
});

test('the address that the site knows comes first, then the one that the browser names; one that neither knows is forgotten', async () => {
  const { renewPush } = await load();
  await keep('https://push.example.com/long-before');
  statuses.push(404);
  await renewPush({ oldSubscription: subscription(before), newSubscription: subscription(after) });
  expect(calls).toEqual([told('https://push.example.com/long-before'), told(before)]);
  expect(await known()).toEqual({ endpoint: after, publicKey });
  statuses.push(404);
  await keep(before);
  await renewPush({ newSubscription: subscription(after) });
  expect(await known()).toBeNull();
});

test('what cannot be told now is tried again, and left to the next visit, which tells it once', async () => {
  const { renewPush, tellMissedRenewal } = await load();
  await keep(before);
  statuses.push('lost', 503, 429, 'lost');
  const trying = renewPush({ newSubscription: subscription(after) });
  await jest.advanceTimersByTimeAsync(60_000);
  await trying;
  expect(calls).toEqual(Array(4).fill(told(before)));
  expect(await known()).toEqual({ endpoint: before, publicKey });
  current = subscription(after);
  for (const _ of [1, 2]) await tellMissedRenewal();
  expect(calls).toEqual(Array(5).fill(told(before)));
});
