import { act, fireEvent, render, screen } from '@testing-library/react';
import { stabilityFallbackMilliseconds } from '@/components/state/arrival';
import { authKey } from '@/components/state/auth-record';
import { Browser } from '@/components/state/browser';
import type { BrowserConfig } from '@/components/state/browser-config';
import { windowLoadDelayMilliseconds } from '@/components/state/interaction';
import { removeStored, writeStored } from '@/components/state/storage';
import { remember } from '@/components/state/version-refresh';

const openFromPage = jest.fn<boolean, [HTMLElement]>(() => true);
const start = jest.fn<void, []>();

jest.mock('next/navigation', () => ({ usePathname: () => '/golf' }));
jest.mock('@/components/state/start', () => ({
  start: async () => {
    start();
    return {
      Parts: () => <p>Started</p>,
      openFromPage: (element: HTMLElement) => openFromPage(element),
      showsPage: () => undefined,
    };
  },
}));

const config: BrowserConfig = {
  scripts: { ads: null, adQuality: null, tags: null, affiliate: null },
  affiliateDays: 30,
  consentDays: 182,
  debug: false,
};

function show(given: BrowserConfig = config): void {
  render(
    <>
      <a href="/login" data-modal="login" onClick={(event) => event.preventDefault()}>
        Log in
      </a>
      <button type="button" data-modal="share tip">
        Share
      </button>
      <Browser config={given} />
    </>,
  );
}

/** Lets time pass, and what it sets off come to its end. */
const pass = (milliseconds: number) =>
  act(async () => {
    await jest.advanceTimersByTimeAsync(milliseconds);
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  });

beforeEach(async () => {
  jest.useFakeTimers();
  start.mockClear();
  openFromPage.mockClear();
  sessionStorage.clear();
  history.replaceState(null, '', '/golf');
  await removeStored(authKey);
});

afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

const afterLoad = windowLoadDelayMilliseconds + 1;

describe('the browser’s part of the site', () => {
  it('leaves a guest who only reads alone, until the page has stood for thirty seconds', async () => {
    show();
    await pass(afterLoad);
    await pass(stabilityFallbackMilliseconds - 100);
    expect(start).not.toHaveBeenCalled();
    await pass(200);
    expect(start).toHaveBeenCalledTimes(1);
    expect(screen.getByText('Started')).toBeInTheDocument();
  });

  it.each([
    ['touches the page', () => fireEvent.pointerDown(document.body)],
    ['presses a key', () => fireEvent.keyDown(document.body, { key: 'Tab' })],
    ['scrolls', () => fireEvent.wheel(document.body)],
    ['points at what opens a modal', () => fireEvent.pointerOver(screen.getByText('Log in'))],
    ['brings the focus to what opens a modal', () => fireEvent.focusIn(screen.getByText('Log in'))],
  ])('is there once a guest %s, and comes once', async (_, touch) => {
    show();
    touch();
    touch();
    await pass(afterLoad);
    await pass(stabilityFallbackMilliseconds + 100);
    expect(start).toHaveBeenCalledTimes(1);
  });

  it.each<[string, () => unknown]>([
    ['tokens are stored', () => writeStored(authKey, { token: 'a', refreshToken: 'b', role: 0 })],
    ['the address carries parameters', () => history.replaceState(null, '', '/golf?ref-a=ann')],
    ['the place of the reader is to be found again', () => remember('tipledger:scroll', '{}')],
    [
      'the worker has all of it on this device',
      () => Object.defineProperty(navigator, 'serviceWorker', { value: { controller: {} }, configurable: true }),
    ],
  ])('comes after the load where %s', async (_, prepare) => {
    await prepare();
    show();
    expect(start).not.toHaveBeenCalled();
    await pass(afterLoad);
    expect(start).toHaveBeenCalledTimes(1);
  });

  it('comes after the load where third parties are configured, since they ask for consent', async () => {
    show({ ...config, scripts: { ...config.scripts, tags: 'https://tags.example/t.js' } });
    await pass(afterLoad);
    expect(start).toHaveBeenCalledTimes(1);
  });

  it('opens the modal of a button that was pressed before it was there', async () => {
    show();
    fireEvent.pointerDown(screen.getByText('Share'));
    fireEvent.click(screen.getByText('Share'));
    expect(openFromPage).not.toHaveBeenCalled();
    await pass(1);
    expect(openFromPage.mock.calls).toEqual([[screen.getByText('Share')]]);
  });
});
