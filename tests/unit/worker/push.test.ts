import type { PushPayload } from '@/lib/push/schema';

type Shown = [title: string, options: Record<string, unknown>];

const shown: Shown[] = [];
const opened: string[] = [];
let standing = 0;
let pages: { url: string; focus: () => Promise<void> }[] = [];

Object.assign(globalThis, {
  self: {
    location: new URL('https://tipledger.example/'),
    registration: {
      showNotification: async (...given: Shown) => void shown.push(given),
      getNotifications: async () => Array(standing).fill({}) as unknown[],
    },
    clients: { openWindow: async (url: string) => void opened.push(url), matchAll: async () => pages },
  },
});

const load = async () => import('../../../worker/push');

const payload: PushPayload = {
  ...{
    tag: 'tip ann/abcdefghij',
    title: 'Ann: Athletic at 2.50',
    body: 'Best now 2.45.',
    at: '2026-03-10T12:00:00.000Z',
  },
  link: 'https://tipledger.example/tipster/ann/tips/abcdefghij',
  slipLink: 'https://tipledger.example/dashboard/bets?slip=ann/abcdefghij',
};

beforeEach(() => {
  shown.length = 0;
  opened.length = 0;
  standing = 0;
  pages = [];
});

test('a tip is shown with its actions, and one that stands already is replaced with a sound', async () => {
  const { showPush } = await load();
  await showPush(JSON.stringify(payload));
  standing = 1;
  await showPush(JSON.stringify({ ...payload, title: 'Corrected', slipLink: null }));
  expect(shown).toMatchObject([
    [
      'Ann: Athletic at 2.50',
      {
        ...{ tag: payload.tag, renotify: false, timestamp: Date.parse(payload.at) },
        actions: [{ action: 'open' }, { action: 'slip', title: 'Add to bet slip' }],
      },
    ],
    ['Corrected', { tag: payload.tag, renotify: true, actions: [{ action: 'open' }] }],
  ]);
});

test.each(['', 'null', '[]', '{"title":1}'])('something is shown whatever comes: %s', async (text) => {
  const { showPush } = await load();
  await showPush(text);
  expect(shown).toHaveLength(1);
});

test('it leads to the tip or into the slip, to a page that is open if there is one, and never off the site', async () => {
  const { openPushed } = await load();
  await openPushed('', payload);
  await openPushed('slip', payload);
  await openPushed('', { link: 'https://elsewhere.example/' });
  const focus = jest.fn(async () => undefined);
  pages = [{ url: payload.link, focus }];
  await openPushed('open', payload);
  expect(opened).toEqual([payload.link, payload.slipLink]);
  expect(focus).toHaveBeenCalledTimes(1);
});
