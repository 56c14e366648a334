import { act, cleanup, render, screen } from '@testing-library/react';
import { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { TextDecoder as NodeTextDecoder, TextEncoder as NodeTextEncoder } from 'node:util';
import { SWRConfig } from 'swr';
import { ProPlace } from '@/components/memberships/pro-place';
import { watchAccount } from '@/components/state/account';
import { startSession } from '@/components/state/session';
import { forgetTransfers } from '@/components/state/transfer';
import { useOwn } from '@/components/state/use-own';
import { showGuest, showMember, viewerNow } from '@/components/state/viewer';
import type { Settings } from '@/lib/accounts/schema';
import { Role } from '@/lib/reference/schema';

// What browsers have and jsdom has not.
Object.assign(globalThis, { TextDecoder: NodeTextDecoder });
const encoder = new NodeTextEncoder();

const settings: Settings = {
  maxStake: 10,
  betCurrencyId: 2,
  buyCurrencyId: 1,
  countryId: 1,
  timezoneId: 1,
  oddsDisplayType: 'decimal',
};
const memberWith = (opens: number[], hasProMembership = false) => ({
  user: {
    username: 'ann',
    email: 'ann@example.org',
    countryId: 1,
    emailConfirmed: true,
    hasActivePremiumPortfolio: false,
    hasActiveSubscription: opens.length > 0,
    hasProMembership,
    affiliateReference: null,
  },
  settings,
  portfolios: [],
  opens,
});

let member = memberWith([]);
let asked: { path: string; isAnew: boolean }[] = [];
let hold: Promise<void> | null = null;
/** With which status a path is refused; 0 where the connection fails. */
let refused: Record<string, number> = {};
let stream: {
  tell: (name: 'state' | 'change', facts?: unknown, id?: string) => Promise<void>;
  end: () => void;
} | null = null;
let stop: () => void = () => undefined;
let token = '';
let expiresAt = 0;

const settle = (milliseconds = 0) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const opened = () => settle(2_000);
/** The longest that a change waits for its look, and what is asked for then. */
const spread = async () => {
  await settle(450);
  await settle(50);
};
const countOf = (path: string) => asked.filter((call) => call.path === path).length;

async function answer(path: string): Promise<unknown> {
  if (path === '/api/user') return { ...member, unread: 0 };
  if (path === '/api/auth/refresh-token') return { token: 'fresh', refreshToken: 'refresh', role: Role.user };
  const now = { opens: member.opens.join(), pro: member.user.hasProMembership };
  await hold;
  if (path === '/api/user/pro')
    return { running: now.pro, places: 5, team: [], candidates: [{ reference: 'ann', name: 'Ann' }], switchFrom: null };
  return { rules: [], opens: now.opens };
}

beforeEach(async () => {
  jest.useFakeTimers();
  asked = [];
  hold = null;
  refused = {};
  stream = null;
  member = memberWith([]);
  expiresAt = Date.now() + 600_000;
  token = `head.${btoa(JSON.stringify({ sub: '7', exp: expiresAt / 1000 }))}.signature`;
  localStorage.setItem('tipledger:auth', JSON.stringify({ token, refreshToken: 'refresh', role: Role.user }));
  global.fetch = jest.fn(async (address: string, init?: RequestInit) => {
    const path = address.split('?')[0] ?? '';
    if (path === '/api/stream' && refused[path] === 0) throw new TypeError('Failed to fetch');
    if (path === '/api/stream') {
      const body = new NodeReadableStream<Uint8Array>({
        start: (controller) => {
          stream = {
            end: () => controller.close(),
            tell: async (name, facts, id = 'abcdef01-1') => {
              const data = JSON.stringify({ topic: 'account', version: 1, ...(facts === undefined ? {} : { facts }) });
              controller.enqueue(encoder.encode(`id: ${id}\nevent: ${name}\ndata: ${data}\n\n`));
              await settle();
            },
          };
        },
      });
      return { ok: true, status: 200, body } as unknown as Response;
    }
    asked.push({ path, isAnew: new Headers(init?.headers).get('cache-control') === 'no-cache' });
    const text = JSON.stringify(await answer(path));
    const isRefused = new Headers(init?.headers).get('authorization') === `Bearer ${token}` && Date.now() >= expiresAt;
    const status = isRefused ? 401 : (refused[path] ?? 200);
    if (status === 0) throw new TypeError('Failed to fetch');
    return { ok: status === 200, status, headers: new Headers(), text: async () => text } as Response;
  }) as unknown as typeof fetch;
  await startSession();
  act(() => showMember(Role.user, member));
  stop = watchAccount();
});

afterEach(() => {
  cleanup();
  stop();
  forgetTransfers();
  jest.useRealTimers();
});

function Opened() {
  const own = useOwn('GET /user/autobets', {}) as unknown as { opens: string } | null;
  return <p>{own === null ? 'not known' : `opens ${own.opens}`}</p>;
}

const show = (element = <Opened />) =>
  render(<SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>{element}</SWRConfig>);

test('what a member is given elsewhere opens once it is told, and what they lose is locked', async () => {
  show();
  await opened();
  expect(screen.getByText('opens')).toBeVisible();
  member = memberWith([5]);
  await stream?.tell('change');
  await spread();
  expect(screen.getByText('opens 5')).toBeVisible();
  expect(asked.filter(({ path }) => path === '/api/user').at(-1)).toMatchObject({ isAnew: true });
  await settle(1_000);
  member = memberWith([]);
  await stream?.tell('change');
  await spread();
  expect(screen.getByText('opens')).toBeVisible();
  expect(countOf('/api/user/autobets')).toBe(3);
});

test('a change that opens and locks nothing has nothing asked for but the member', async () => {
  show();
  await opened();
  const before = countOf('/api/user');
  await stream?.tell('change');
  await spread();
  expect([countOf('/api/user') - before, countOf('/api/user/autobets')]).toEqual([1, 1]);
});

test('a stream that opens asks only where the account opens something else than is known', async () => {
  show();
  await opened();
  const before = countOf('/api/user');
  const { user, opens } = member;
  await stream?.tell('state', { user: { hasProMembership: user.hasProMembership }, opens });
  await spread();
  expect([countOf('/api/user') - before, countOf('/api/user/autobets')]).toEqual([0, 1]);
  member = memberWith([7]);
  await stream?.tell('change', { user: { hasProMembership: false }, opens: [7] });
  await spread();
  expect(screen.getByText('opens 7')).toBeVisible();
});

describe('settings that were changed elsewhere', () => {
  const change = () => (member = { ...member, settings: { ...settings, oddsDisplayType: 'fraction' } });
  const changed = { settings: { oddsDisplayType: 'fraction' } };
  const opening = () => ({ user: { hasProMembership: member.user.hasProMembership }, opens: member.opens });

  test('are here where a stream that resumes tells that something was missed, though what opens is the same', async () => {
    await opened();
    await stream?.tell('state', opening());
    stream?.end();
    await settle(3_000);
    change();
    await stream?.tell('change', opening());
    await spread();
    expect(viewerNow()).toMatchObject(changed);
  });

  test('are not asked for where another process opens the stream, to which everything may have changed', async () => {
    await opened();
    await stream?.tell('state', opening());
    stream?.end();
    await settle(3_000);
    const before = countOf('/api/user');
    await stream?.tell('change', opening(), 'bcdef012-1');
    await spread();
    expect(countOf('/api/user')).toBe(before);
  });

  test('are here where the stream cannot be had, with no call beside those of the rounds until then', async () => {
    refused = { '/api/stream': 0 };
    await settle(5_000);
    const before = countOf('/api/user');
    await settle(30_000);
    expect(countOf('/api/user') - before).toBe(3);
    change();
    await settle(11_000);
    expect(viewerNow()).toMatchObject(changed);
  });
});

test('a change is seen though the token has expired since', async () => {
  show();
  await opened();
  await settle(600_000);
  member = memberWith([5]);
  await stream?.tell('change');
  await spread();
  expect(screen.getByText('opens 5')).toBeVisible();
  expect(countOf('/api/auth/refresh-token')).toBe(1);
});

test('what another tab was told of the same member counts here, and what stands is shown until the answer has come', async () => {
  show();
  await opened();
  let letGo = () => undefined as void;
  hold = new Promise<void>((resolve) => (letGo = resolve));
  member = memberWith([9]);
  act(() => showMember(Role.user, member));
  await settle(100);
  expect(screen.getByText('opens')).toBeVisible();
  letGo();
  await settle();
  expect(screen.getByText('opens 9')).toBeVisible();
});

describe('where access ends', () => {
  const endWith = async (status: number) => {
    show();
    await opened();
    act(() => showMember(Role.user, (member = memberWith([5, 6]))));
    await settle();
    expect(screen.getByText('opens 5,6')).toBeVisible();
    refused = { '/api/user/autobets': status };
    member = memberWith([6]);
    await stream?.tell('change');
    await spread();
    await settle(1_000);
  };

  test.each([401, 403, 404])('nothing of it stays shown once its call is refused with %i', async (status) => {
    await endWith(status);
    expect(screen.getByText('not known')).toBeVisible();
  });

  test.each([0, 503])('what was shown stays where nobody could be asked, status %i', async (status) => {
    await endWith(status);
    expect(screen.getByText('opens 5,6')).toBeVisible();
  });
});

test('nobody is shown what was answered to another member who was signed in on this page before', async () => {
  const [ann, bob] = ['ann', 'bob'].map((username) => {
    const { user, ...more } = memberWith([5], true);
    return { ...more, user: { ...user, username } };
  });
  if (!ann || !bob) throw new Error('Two members are needed.');
  show(
    <>
      <Opened />
      <ProPlace portfolio="ann" name="Ann" />
    </>,
  );
  await opened();
  act(() => showMember(Role.user, (member = ann)));
  await settle(100);
  expect([screen.getByText('opens 5'), screen.getByRole('button')]).toHaveLength(2);
  act(() => showGuest());
  refused = { '/api/user/autobets': 0, '/api/user/pro': 0 };
  act(() => showMember(Role.user, (member = bob)));
  await settle(100);
  expect([screen.getByText('not known'), screen.queryByRole('button')]).toEqual([expect.anything(), null]);
});

test('Pro that was bought elsewhere has its team to be chosen', async () => {
  show(<ProPlace portfolio="ann" name="Ann" />);
  await opened();
  expect(screen.queryByRole('button')).toBeNull();
  member = memberWith([], true);
  await stream?.tell('change');
  await spread();
  expect(screen.getByRole('button', { name: 'Add to my Pro team' })).toBeVisible();
  expect(viewerNow()).toMatchObject({ user: { hasProMembership: true } });
});
