import type { AuthRecord } from '@/components/state/auth-record';

/** Where the page was left for, in order. */
export const left: string[] = [];
jest.mock('@/components/state/auth-navigation', () => ({
  ...jest.requireActual<object>('@/components/state/auth-navigation'),
  leaveFor: (address: string) => left.push(address),
  leaveAsUnauthorised: async () => left.push('unauthorised'),
  leaveIfProtected: async () => left.push('if protected'),
}));
// The tier of local storage is the one that a test can look into.
jest.mock('idb-keyval', () => {
  const unavailable = async () => {
    throw new Error('There is no IndexedDB here.');
  };
  return { createStore: () => ({}), get: unavailable, set: unavailable, del: unavailable, update: unavailable };
});
/** What was logged, in order. */
export const reported: { name: string; label?: string }[] = [];
jest.mock('@/components/state/analytics', () => ({
  report: (event: (typeof reported)[number]) => reported.push(event),
}));

/** How the server answers a call, and what it was asked. */
export type Answer = { status: number; body?: unknown; headers?: Record<string, string> };
export type Asked = { method: string; path: string; bearer: string | null; isAnew: boolean; body: unknown };

/** The tokens of one turn after the other. */
export const auth = (turn: number, role: AuthRecord['role'] = 0): AuthRecord => ({
  token: `token-${turn}`,
  refreshToken: `refresh-${turn}`,
  role,
});
/** The member of the accepted tokens. */
export const user = {
  username: 'bob',
  email: 'bob@example.com',
  countryId: 1,
  emailConfirmed: true,
  hasActivePremiumPortfolio: false,
  hasActiveSubscription: false,
  hasProMembership: false,
  affiliateReference: null,
};
export const settings = {
  maxStake: 10,
  betCurrencyId: 2,
  buyCurrencyId: 1,
  countryId: 1,
  timezoneId: 1,
  oddsDisplayType: 'decimal',
};

/** The whole answer that the member of the accepted tokens is given. */
export const whole = (more: object = {}) => ({
  user,
  settings,
  portfolios: [{ reference: 'first' }, { reference: 'second' }],
  unread: 2,
  opens: [1, 2],
  ...more,
});

/** What was asked of the server, in order. */
export const asked: Asked[] = [];
let answers: Record<string, (asked: Asked) => Answer | Promise<Answer>> = {};

/** A server in which `good` is the access token that is accepted. */
export function serve(good: string, more: typeof answers = {}): void {
  const member =
    (body: unknown) =>
    ({ bearer }: Asked) =>
      bearer === good ? { status: 200, body } : { status: 401, body: { message: 'Forbidden' } };
  answers = {
    'GET /user': member(whole()),
    'GET /user/portfolio': member([]),
    'POST /auth/logout': () => ({ status: 200, body: { done: true } }),
    ...more,
  };
}

// Each test is a page of its own, whose listeners go with it.
const listening: Parameters<EventTarget['addEventListener']>[] = [];
const listen = window.addEventListener.bind(window);
window.addEventListener = (...given: Parameters<EventTarget['addEventListener']>) => {
  listening.push(given);
  listen(...(given as [string, EventListener]));
};

/** Begins with nothing stored, nobody in memory and a server that refuses all. */
export function startAnew(): void {
  jest.resetModules();
  for (const [type, listener, options] of listening.splice(0))
    (window as EventTarget).removeEventListener(type, listener, options);
  Reflect.deleteProperty(globalThis, '__JOTAI_DEFAULT_STORE__');
  localStorage.clear();
  document.cookie = 'tipledger_member=; Max-Age=0';
  left.length = 0;
  asked.length = 0;
  reported.length = 0;
  answers = {};
  window.history.replaceState({}, '', '/football');
  global.fetch = jest.fn(async (address: string | URL | Request, init: RequestInit = {}) => {
    const path =
      String(address)
        .replace(/^\/api/, '')
        .split('?')[0] ?? '';
    const headers = new Headers(init.headers);
    const call: Asked = {
      method: init.method ?? 'GET',
      path,
      bearer: headers.get('authorization')?.replace('Bearer ', '') ?? null,
      isAnew: headers.get('cache-control') === 'no-cache',
      body: init.body ? (JSON.parse(String(init.body)) as unknown) : null,
    };
    asked.push(call);
    const answer = await answers[`${call.method} ${path}`]?.(call);
    if (!answer) throw new TypeError('Failed to fetch');
    const text = answer.body === undefined ? '' : JSON.stringify(answer.body);
    return {
      ok: answer.status < 400,
      status: answer.status,
      statusText: '',
      headers: new Headers(answer.headers),
      text: async () => text,
    } as Response;
  });
}

/** What local storage holds of the tokens. */
export const stored = () => JSON.parse(localStorage.getItem('tipledger:auth') ?? 'null') as unknown;
export const store = (value: unknown) => localStorage.setItem('tipledger:auth', JSON.stringify(value));
export const calls = (path: string) => asked.filter((call) => call.path === path);
/** The modules of the session, anew. */
export const load = async () => {
  const loading = [
    import('@/components/state/session'),
    import('@/components/state/viewer'),
    import('@/components/state/storage'),
    import('@/components/state/api'),
  ] as const;
  const [session, { viewerNow }, storage, { api }] = await Promise.all(loading);
  return { ...session, viewerNow, ...storage, api };
};
export const until = async (holds: () => boolean) => {
  for (let turn = 0; turn < 200 && !holds(); turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(holds()).toBe(true);
};
