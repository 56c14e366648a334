import { getDefaultStore } from 'jotai';
import { isOnlineAtom, watchConnection } from '@/components/state/connection';
import { lastKnownVersionAtom } from '@/components/state/preferences';
import {
  checkVersion,
  startVersionChecks,
  updateReadyAtom,
  versionCheckMilliseconds,
} from '@/components/state/version';

const refreshPage = jest.fn();
jest.mock('@/components/state/version-refresh', () => ({
  ...jest.requireActual<object>('@/components/state/version-refresh'),
  refreshPage: () => refreshPage() as unknown,
}));

jest.mock('@/components/state/storage', () => ({
  readStored: async () => undefined,
  writeStored: async () => undefined,
  watchStored: () => () => undefined,
}));

const store = getDefaultStore();
let running: string | null = 'a';
const asked = jest.fn();

const setOnline = (isOnline: boolean) => {
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
};

beforeEach(() => {
  jest.useFakeTimers();
  sessionStorage.clear();
  history.replaceState(null, '', '/football');
  refreshPage.mockClear();
  asked.mockClear();
  running = 'a';
  globalThis.fetch = jest.fn(async (url: RequestInfo | URL) => {
    asked(String(url));
    if (running === null) throw new TypeError('Failed to fetch');
    return {
      ok: true,
      status: 200,
      text: async () => JSON.stringify({ version: running, branch: 'main' }),
    } as Response;
  });
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('while the server runs the page’s own version nothing happens', async () => {
  await checkVersion('a');
  await jest.advanceTimersByTimeAsync(1000);
  expect(asked).toHaveBeenCalledWith('/api/edge/version');
  expect([store.get(updateReadyAtom), refreshPage.mock.calls.length]).toEqual([false, 0]);
});

test('a newer version raises the badge, is remembered, and loads the page anew a quarter of a second later, once', async () => {
  running = 'b';
  await checkVersion('a');
  expect(store.get(updateReadyAtom)).toBe(true);
  expect(store.get(lastKnownVersionAtom)).toBe('b');
  await jest.advanceTimersByTimeAsync(249);
  expect(refreshPage).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  expect(refreshPage).toHaveBeenCalledTimes(1);
});

test('a page that comes back old is not loaded again for the same version, and is for the next', async () => {
  running = 'b';
  await checkVersion('a');
  await jest.advanceTimersByTimeAsync(250);
  await checkVersion('a');
  await jest.advanceTimersByTimeAsync(250);
  expect(refreshPage).toHaveBeenCalledTimes(1);
  expect(store.get(updateReadyAtom)).toBe(true);
  running = 'c';
  await checkVersion('a');
  await jest.advanceTimersByTimeAsync(250);
  expect(refreshPage).toHaveBeenCalledTimes(2);
});

test('where something is being written the page is left alone, and loaded anew by a later check elsewhere', async () => {
  history.replaceState(null, '', '/register');
  running = 'b';
  const stop = startVersionChecks('a');
  await jest.advanceTimersByTimeAsync(versionCheckMilliseconds + 250);
  expect([store.get(updateReadyAtom), refreshPage.mock.calls.length]).toEqual([true, 0]);
  history.replaceState(null, '', '/football');
  await jest.advanceTimersByTimeAsync(versionCheckMilliseconds);
  expect(refreshPage).toHaveBeenCalledTimes(1);
  stop();
});

test('the version is asked for every three minutes until it is stopped', async () => {
  const stop = startVersionChecks('a');
  await jest.advanceTimersByTimeAsync(3 * 60 * 1000 - 1);
  expect(asked).toHaveBeenCalledTimes(0);
  await jest.advanceTimersByTimeAsync(1 + 3 * 60 * 1000);
  expect(asked).toHaveBeenCalledTimes(2);
  stop();
  await jest.advanceTimersByTimeAsync(60 * 60 * 1000);
  expect(asked).toHaveBeenCalledTimes(2);
});

test('without an answer nothing is known, and nothing is lost', async () => {
  running = 'b';
  await checkVersion('a');
  running = null;
  await checkVersion('a');
  expect(store.get(updateReadyAtom)).toBe(true);
});

test('offline the page is not loaded anew', async () => {
  running = 'b';
  await checkVersion('a');
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await jest.advanceTimersByTimeAsync(250);
  expect(refreshPage).not.toHaveBeenCalled();
});

test('a page that no build made asks for nothing', async () => {
  startVersionChecks(null);
  await jest.advanceTimersByTimeAsync(60 * 60 * 1000);
  expect(asked).not.toHaveBeenCalled();
});

test('the connection is known while it is watched', () => {
  const stop = watchConnection();
  setOnline(false);
  expect(store.get(isOnlineAtom)).toBe(false);
  setOnline(true);
  expect(store.get(isOnlineAtom)).toBe(true);
  stop();
  setOnline(false);
  expect(store.get(isOnlineAtom)).toBe(true);
});
