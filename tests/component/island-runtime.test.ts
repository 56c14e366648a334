import { act, fireEvent, screen } from '@testing-library/react';
import { stabilityFallbackMilliseconds } from '@/components/state/arrival';
import { authKey } from '@/components/state/auth-record';
import { type BrowserConfig, browserConfigId } from '@/components/state/browser-config';
import { windowLoadDelayMilliseconds } from '@/components/state/interaction';
import { removeStored, writeStored } from '@/components/state/storage';
import { remember } from '@/components/state/tab-storage';
import { runBeforePaint } from '../support/paint';

const openFromPage = jest.fn<boolean, [HTMLElement]>(() => true);
const start = jest.fn<void | Promise<void>, []>();
const takesOver = jest.fn<Promise<boolean>, [HTMLElement]>(async () => true);

const fetchPart = jest.fn<void, []>();

jest.mock('@/components/start/begin', () => {
  fetchPart();
  return {
    beginSite: async () => {
      await start();
      return {
        openFromPage: (element: HTMLElement) => openFromPage(element),
        mayTakeOver: () => true,
        takesOver: (element: HTMLElement) => takesOver(element),
        showsPage: () => undefined,
      };
    },
  };
});

jest.mock('next/navigation', () => ({ usePathname: () => '/golf' }));

const config: BrowserConfig = {
  scripts: { ads: null, adQuality: null, tags: null, affiliate: null },
  affiliateDays: 30,
  consentDays: 182,
  debug: false,
};

// Each page is a document of its own, whose listeners go with it.
const listening: [EventTarget, Parameters<EventTarget['addEventListener']>][] = [];

const root = document.documentElement.dataset;

async function show(given: BrowserConfig = config, meanwhile?: () => void): Promise<void> {
  document.body.innerHTML = `
    <a href="#login" data-modal="login">Log in</a>
    <button type="button" data-modal="share tip">Share</button>
    <span data-island="follow" data-props="{}"><span data-made><a href="#follow" data-modal="login">Follow</a></span></span>
    <script type="application/json" id="${browserConfigId}">${JSON.stringify(given)}</script>`;
  if (meanwhile) {
    delete root.alive;
    runBeforePaint();
    meanwhile();
  }
  await jest.isolateModulesAsync(startPage);
}

let startPage = startAlone;

async function startAlone(): Promise<void> {
  await import('@/components/start/start');
}

/** As Next starts it on a page that it makes alive. */
async function startInNext(): Promise<void> {
  const [react, { createRoot }, { StartIslands }] = await Promise.all([
    import('react'),
    import('react-dom/client'),
    import('@/components/start/start-islands'),
  ]);
  const place = document.body.appendChild(document.createElement('div'));
  await react.act(async () => createRoot(place).render(react.createElement(StartIslands)));
}

/** Lets time pass, and what it sets off come to its end. */
const pass = (milliseconds: number) =>
  act(async () => {
    await jest.advanceTimersByTimeAsync(milliseconds);
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  });

beforeAll(() => {
  for (const target of [document, window]) {
    const add = target.addEventListener.bind(target);
    target.addEventListener = (...given: Parameters<EventTarget['addEventListener']>) => {
      listening.push([target, given]);
      add(...(given as [string, EventListener]));
    };
  }
});

beforeEach(async () => {
  jest.useFakeTimers();
  openFromPage.mockReturnValue(true);
  takesOver.mockResolvedValue(true);
  location.hash = '';
  startPage = startAlone;
  start.mockClear();
  openFromPage.mockClear();
  sessionStorage.clear();
  history.replaceState(null, '', '/golf');
  await removeStored(authKey);
});

afterEach(() => {
  for (const [target, [type, listener, options]] of listening.splice(0))
    target.removeEventListener(type, listener, options);
  jest.useRealTimers();
  Reflect.deleteProperty(navigator, 'serviceWorker');
  delete root.known;
});

const afterLoad = windowLoadDelayMilliseconds + 1;

describe('a page that is prerendered', () => {
  const shownAfter = (milliseconds: number) => {
    Object.defineProperty(performance, 'getEntriesByType', {
      configurable: true,
      value: () => [{ activationStart: milliseconds }],
    });
    Object.defineProperty(document, 'prerendering', { configurable: true, value: false });
    document.dispatchEvent(new Event('prerenderingchange'));
  };
  const told = jest.fn(async () => new Response());
  beforeEach(() => {
    Object.defineProperty(document, 'prerendering', { configurable: true, value: true });
    told.mockClear();
    globalThis.fetch = told;
    delete root.alive;
  });
  afterEach(() => {
    Reflect.deleteProperty(document, 'prerendering');
    Reflect.deleteProperty(performance, 'getEntriesByType');
    jest.restoreAllMocks();
  });

  it('is not alive, and begins nothing, until it is shown', async () => {
    await show();
    await pass(stabilityFallbackMilliseconds + windowLoadDelayMilliseconds);
    expect([root.alive, start.mock.calls.length, told.mock.calls.length]).toEqual([undefined, 0, 0]);
    shownAfter(59_999);
    expect(root.alive).toBe('');
    expect(told.mock.calls).toEqual([[location.href, expect.objectContaining({ method: 'HEAD' })]]);
    fireEvent.keyDown(document.body);
    await pass(0);
    expect(start).toHaveBeenCalledTimes(1);
  });

  it('is loaded anew where it is shown after more than a minute, and not where there is no connection', async () => {
    await show();
    shownAfter(60_001);
    expect(root.alive).toBeUndefined();
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    Object.defineProperty(document, 'prerendering', { configurable: true, value: true });
    await show();
    shownAfter(60_001);
    expect(root.alive).toBe('');
  });
});

describe('the browser’s part of the site', () => {
  it('leaves a guest who only reads alone, until the page has stood for thirty seconds', async () => {
    await show();
    await pass(afterLoad);
    await pass(stabilityFallbackMilliseconds - 100);
    expect(start).not.toHaveBeenCalled();
    await pass(200);
    expect(start).toHaveBeenCalledTimes(1);
  });

  it('is there at once where the focus came before it ran', async () => {
    await show(config, () => screen.getByText('Log in').focus());
    await pass(0);
    expect(start).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['touches the page', () => fireEvent.pointerDown(document.body)],
    ['presses a key', () => fireEvent.keyDown(document.body, { key: 'Tab' })],
    ['scrolls', () => fireEvent.wheel(document.body)],
    ['points at what opens a modal', () => fireEvent.pointerOver(screen.getByText('Log in'))],
    ['brings the focus to what opens a modal', () => fireEvent.focusIn(screen.getByText('Log in'))],
  ])('is there once a guest %s, and comes once', async (_, touch) => {
    await show();
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
    await show();
    expect(start).not.toHaveBeenCalled();
    await pass(afterLoad);
    expect(start).toHaveBeenCalledTimes(1);
  });

  it('comes at once where a member is known to be here, before the load', async () => {
    root.known = 'member';
    await show();
    await pass(1);
    expect(start).toHaveBeenCalledTimes(1);
    await pass(afterLoad);
    expect(start).toHaveBeenCalledTimes(1);
  });

  it('comes after the load where third parties are configured, since they ask for consent', async () => {
    await show({ ...config, scripts: { ...config.scripts, tags: 'https://tags.example/t.js' } });
    await pass(afterLoad);
    expect(start).toHaveBeenCalledTimes(1);
  });

  it('opens the modal of a button that was pressed before it was there, once', async () => {
    await show();
    fireEvent.pointerDown(screen.getByText('Share'));
    fireEvent.click(screen.getByText('Share'));
    expect(openFromPage).not.toHaveBeenCalled();
    await pass(1);
    expect(openFromPage.mock.calls).toEqual([[screen.getByText('Share')]]);
  });

  it('opens it once where it is pressed twice before it is there, and anew at the next press', async () => {
    await show();
    fireEvent.click(screen.getByText('Share'));
    fireEvent.click(screen.getByText('Share'));
    await pass(1);
    expect(openFromPage).toHaveBeenCalledTimes(1);
    fireEvent.click(screen.getByText('Share'));
    expect(openFromPage).toHaveBeenCalledTimes(2);
    // The second click of a double click would close what the first has opened.
    fireEvent.click(screen.getByText('Share'), { detail: 2 });
    expect(openFromPage).toHaveBeenCalledTimes(2);
  });

  describe('whose entry is still on its way', () => {
    it('opens what was pressed meanwhile, once however often, and nothing again at the next press', async () => {
      await show(config, () => {
        fireEvent.click(screen.getByText('Share'));
        fireEvent.click(screen.getByText('Share'), { detail: 2 });
      });
      await pass(1);
      expect(openFromPage.mock.calls).toEqual([[screen.getByText('Share')]]);
      expect(screen.getByText('Share')).not.toHaveAttribute('data-pressed');
      fireEvent.click(screen.getByText('Share'));
      expect(openFromPage).toHaveBeenCalledTimes(2);
      expect(screen.getByText('Share')).not.toHaveAttribute('data-pressed');
    });

    it('puts the side menu away where that was pressed meanwhile', async () => {
      await show(config, () => {
        document.body.insertAdjacentHTML(
          'beforeend',
          '<button type="button" data-menu-toggle><i>Side menu</i></button>',
        );
        fireEvent.click(screen.getByText('Side menu'));
      });
      expect(root.sideMenu).toBe('closed');
    });

    it('has what it alone hears done again once on a page that Next makes alive, and nothing that React hears', async () => {
      startPage = startInNext;
      const pressed = jest.fn();
      await show(config, () => {
        document.body.insertAdjacentHTML(
          'beforeend',
          `<button type="button" data-menu-toggle>Side menu</button>
          <button type="button" data-menu-more aria-expanded="false">More options</button>
          <button type="button">Own</button>`,
        );
        screen.getByText('Own').addEventListener('click', pressed);
        for (const name of ['Side menu', 'More options', 'Share', 'Own']) fireEvent.click(screen.getByText(name));
      });
      await pass(1);
      expect([root.sideMenu, screen.queryByText('More options')]).toEqual(['closed', null]);
      expect([openFromPage.mock.calls.length, pressed.mock.calls.length]).toEqual([1, 1]);
    });

    it('leaves links, forms and popovers to themselves', async () => {
      const pressed: string[] = [];
      const note = ({ target }: Event) => void pressed.push((target as HTMLElement).textContent);
      await show(config, () => {
        document.body.insertAdjacentHTML(
          'beforeend',
          '<form><button>Search</button></form><button type="button" popovertarget="menu">Menu</button>',
        );
        document.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault());
        for (const name of ['Log in', 'Search', 'Menu']) fireEvent.click(screen.getByText(name));
        document.addEventListener('click', note);
      });
      await pass(1);
      expect([pressed, openFromPage.mock.calls]).toEqual([[], []]);
    });
  });

  describe('that cannot be fetched', () => {
    beforeEach(() => {
      Object.assign(window, { reportError: () => undefined });
      jest.resetModules();
      fetchPart.mockImplementationOnce(() => {
        throw Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError' });
      });
    });
    afterEach(() => {
      jest.restoreAllMocks();
      Reflect.deleteProperty(window, 'reportError');
      delete document.documentElement.dataset.criticalError;
    });

    it('says so while there is a connection, and is tried again at the next press', async () => {
      await show();
      fireEvent.click(screen.getByText('Share'));
      await pass(1);
      expect(document.documentElement).toHaveAttribute('data-critical-error');
      expect(screen.getByRole('alert')).toHaveTextContent(
        'Could not load a key JavaScript file. Please refresh the page.',
      );
      fireEvent.click(screen.getByText('Share'));
      await pass(1);
      expect(openFromPage).toHaveBeenCalledTimes(1);
      expect(screen.queryByRole('alert')).toBeNull();
      expect(document.documentElement).not.toHaveAttribute('data-critical-error');
    });

    it('says nothing without a connection', async () => {
      jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
      await show();
      fireEvent.pointerDown(document.body);
      await pass(1);
      expect(screen.queryByRole('alert')).toBeNull();
    });
  });

  it('blames no file where it came and failed by itself, which is told as an error', async () => {
    const told = jest.fn();
    Object.assign(window, { reportError: told });
    start.mockRejectedValueOnce(new TypeError('x is undefined'));
    await show();
    fireEvent.click(screen.getByText('Share'));
    await pass(1);
    expect(told).toHaveBeenCalledWith(expect.any(TypeError));
    expect(screen.queryByRole('alert')).toBeNull();
    Reflect.deleteProperty(window, 'reportError');
  });

  it('follows a link that was pressed before it was there when its modal is not for this viewer', async () => {
    openFromPage.mockReturnValue(false);
    await show();
    fireEvent.click(screen.getByText('Log in'));
    expect(location.hash).toBe('');
    await pass(1);
    expect(location.hash).toBe('#login');
  });

  it('presses in an island what is there in the place of what was pressed', async () => {
    await show();
    fireEvent.click(screen.getByText('Follow'));
    await pass(1);
    expect([openFromPage.mock.calls.length, location.hash]).toEqual([0, '']);
    // Nothing came in time: the link is followed.
    await pass(10_000);
    expect(location.hash).toBe('#follow');
  });

  it('waits with a press in an island until it is known who is looking, and leads a guest to the login then', async () => {
    let know = (_: boolean): void => undefined;
    takesOver.mockReturnValueOnce(new Promise((resolve) => (know = resolve)));
    await show();
    fireEvent.click(screen.getByText('Follow'));
    await pass(1_000);
    expect([openFromPage.mock.calls.length, location.hash]).toEqual([0, '']);
    openFromPage.mockReturnValue(false);
    know(false);
    await pass(1);
    expect([openFromPage.mock.calls.length, location.hash]).toEqual([1, '#follow']);
  });

  it('follows a link in an island that was pressed where the site does not start in time', async () => {
    start.mockReturnValueOnce(new Promise(() => undefined));
    await show();
    fireEvent.click(screen.getByText('Follow'));
    await pass(9_000);
    expect(location.hash).toBe('');
    await pass(1_000);
    expect(location.hash).toBe('#follow');
  });

  it('leaves a link alone that is opened elsewhere', async () => {
    await show();
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true });
    act(() => void screen.getByText('Log in').dispatchEvent(event));
    expect(event.defaultPrevented).toBe(false);
  });
});
