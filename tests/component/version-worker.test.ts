import { stabilityFallbackMilliseconds } from '@/components/state/arrival';
import { noteVisit, takeVisits } from '@/components/state/visits';
import { startServiceWorker, whenStable } from '@/components/state/service-worker';
import { restorePlace } from '@/components/state/version-refresh';

const refreshPage = jest.fn();
jest.mock('@/components/state/version-refresh', () => ({
  ...jest.requireActual<object>('@/components/state/version-refresh'),
  refreshPage: () => refreshPage() as unknown,
}));

class Workers extends EventTarget {
  controller: object | null = null;
  readonly unregister = jest.fn(async () => true);
  readonly postMessage = jest.fn();
  readonly ready = Promise.resolve({ active: { postMessage: this.postMessage } });
  readonly register = jest.fn(async () => ({}));
  readonly getRegistrations = async () => [{ unregister: this.unregister }, { unregister: this.unregister }];
}

let workers: Workers;
let state: DocumentReadyState;
let idle: (() => void)[];
const removed = jest.fn(async () => true);

const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};
const becomeIdle = () => idle.splice(0).forEach((run) => run());

beforeEach(() => {
  jest.useFakeTimers();
  sessionStorage.clear();
  refreshPage.mockClear();
  removed.mockClear();
  workers = new Workers();
  state = 'complete';
  idle = [];
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: workers });
  jest.spyOn(document, 'readyState', 'get').mockImplementation(() => state);
  Object.assign(window, {
    requestIdleCallback: (run: () => void) => idle.push(run),
    caches: { keys: async () => ['pages', 'images'], delete: removed },
  });
  performance.getEntriesByType = () =>
    [
      { name: `${location.origin}/_next/static/chunks/a-1.js` },
      { name: `${location.origin}/images/logo.svg` },
    ] as PerformanceEntry[];
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('what waits for the page to settle', () => {
  it('runs once, when the window has loaded and the browser is idle', () => {
    state = 'loading';
    const run = jest.fn();
    whenStable(run);
    becomeIdle();
    window.dispatchEvent(new Event('load'));
    expect(run).not.toHaveBeenCalled();
    becomeIdle();
    expect(run).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(stabilityFallbackMilliseconds);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('runs after thirty seconds where the page never settles', () => {
    state = 'loading';
    const run = jest.fn();
    whenStable(run);
    jest.advanceTimersByTime(29_999);
    expect(run).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledTimes(1);
  });
});

describe('the worker', () => {
  it('is registered once the page has settled, and told of the page that was loaded without it', async () => {
    startServiceWorker(jest.fn());
    expect(workers.register).not.toHaveBeenCalled();
    becomeIdle();
    await settle();
    expect(workers.register).toHaveBeenCalledWith('/sw.js', { scope: '/', updateViaCache: 'none' });
    expect(workers.postMessage).toHaveBeenCalledWith({
      kind: 'visited',
      url: location.href,
      earlier: [],
      assets: ['/_next/static/chunks/a-1.js'],
    });
  });

  it('is told of the pages that were read before it was there, once', async () => {
    noteVisit(`${location.origin}/tennis`);
    noteVisit(location.href);
    startServiceWorker(jest.fn());
    becomeIdle();
    await settle();
    expect(workers.postMessage).toHaveBeenCalledWith(
      expect.objectContaining({ url: location.href, earlier: [`${location.origin}/tennis`] }),
    );
    expect(takeVisits()).toEqual([]);
  });

  it('that had the page already is told nothing', async () => {
    workers.controller = {};
    startServiceWorker(jest.fn());
    becomeIdle();
    await settle();
    expect(workers.register).toHaveBeenCalledTimes(1);
    expect(workers.postMessage).not.toHaveBeenCalled();
  });

  it('is told of a page that was fetched ahead, which it has not kept', async () => {
    workers.controller = {};
    const entries: Record<string, object[]> = {
      navigation: [{ deliveryType: 'navigational-prefetch' }],
      resource: [{ name: `${location.origin}/_next/static/chunks/a-1.js` }],
    };
    performance.getEntriesByType = (type) => (entries[type] ?? []) as PerformanceEntry[];
    startServiceWorker(jest.fn());
    becomeIdle();
    await settle();
    expect(workers.postMessage).toHaveBeenCalledWith({
      kind: 'visited',
      url: location.href,
      earlier: [],
      assets: ['/_next/static/chunks/a-1.js'],
    });
  });

  it('is an update when it takes over from another, not when it is the first', () => {
    const onUpdate = jest.fn();
    startServiceWorker(onUpdate);
    workers.dispatchEvent(new Event('controllerchange'));
    expect(onUpdate).not.toHaveBeenCalled();
    workers.dispatchEvent(new Event('controllerchange'));
    expect(onUpdate).toHaveBeenCalledTimes(1);
  });

  it('that cannot be registered leaves the page as it is', async () => {
    workers.register.mockRejectedValue(new DOMException('no', 'SecurityError'));
    startServiceWorker(jest.fn());
    becomeIdle();
    await settle();
    expect(refreshPage).not.toHaveBeenCalled();
  });

  it('that cannot go on is taken away with all that it kept, and the page is loaded anew, once in a visit', async () => {
    startServiceWorker(jest.fn());
    const fail = () =>
      workers.dispatchEvent(new MessageEvent('message', { data: { kind: 'unrecoverable', reason: 'UnknownError' } }));
    fail();
    await settle();
    expect(workers.unregister).toHaveBeenCalledTimes(2);
    expect(removed.mock.calls).toEqual([['pages'], ['images']]);
    expect(refreshPage).toHaveBeenCalledTimes(1);
    fail();
    await settle();
    expect(refreshPage).toHaveBeenCalledTimes(1);
  });

  it('is heard in nothing else', async () => {
    startServiceWorker(jest.fn());
    for (const data of [null, 'unrecoverable', { kind: 'visited' }])
      workers.dispatchEvent(new MessageEvent('message', { data }));
    await settle();
    expect(workers.unregister).not.toHaveBeenCalled();
  });
});

describe('the place of the reader', () => {
  const scrollTo = jest.fn();
  const remember = (place: object) => sessionStorage.setItem('tipledger:scroll', JSON.stringify(place));

  beforeEach(() => {
    scrollTo.mockClear();
    Object.assign(window, { scrollTo });
  });

  it('is found again on the same page, once', () => {
    remember({ href: location.href, left: 0, top: 640 });
    restorePlace();
    restorePlace();
    expect(scrollTo.mock.calls).toEqual([[{ left: 0, top: 640, behavior: 'instant' }]]);
  });

  it('is left alone where the browser has found it, and on another page', () => {
    remember({ href: location.href, left: 0, top: 0 });
    restorePlace();
    remember({ href: `${location.origin}/elsewhere`, left: 0, top: 640 });
    restorePlace();
    expect(scrollTo).not.toHaveBeenCalled();
  });
});
