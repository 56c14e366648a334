import { fireEvent } from '@testing-library/react';
import { batchSize, flush, report, type SentEvent, track } from '@/components/state/analytics';
import { rageClicks, trackPage, watchClicks } from '@/components/state/analytics-events';
import { startErrorLog } from '@/components/state/browser-log';

const sent: { events: SentEvent[] }[] = [];
const told = () => sent.flatMap(({ events }) => events.map(({ name, label, value }) => [name, label, value]));
const set = (name: string, value: unknown) => Object.defineProperty(navigator, name, { configurable: true, value });

class TextBlob {
  constructor(readonly parts: string[]) {}
}

beforeEach(() => {
  sent.length = 0;
  set('doNotTrack', null);
  set('onLine', true);
  set('sendBeacon', (address: string, body: TextBlob) => {
    expect(address).toBe('/api/events');
    sent.push(JSON.parse(body.parts.join('')) as { events: SentEvent[] });
    return true;
  });
  Object.assign(globalThis, { Blob: TextBlob });
  history.replaceState(null, '', '/football?q=ann');
});
afterEach(() => flush());

it('events go out in batches with their dimensions, and nothing that names anybody', () => {
  for (let count = 0; count <= batchSize; count += 1) track({ name: 'click', label: `n-${count}` });
  expect(sent.map(({ events }) => events.length)).toEqual([batchSize]);
  flush();
  expect(sent.map(({ events }) => events.length)).toEqual([batchSize, 1]);
  expect(sent[0]?.events[0]).toEqual({
    name: 'click',
    label: 'n-0',
    value: null,
    debug: false,
    user_id: null,
    organisation_id: null,
    active_portfolio: null,
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    referrer: null,
    breakpoint: 'lg',
    version: null,
    page_url: '/football',
  });
});

it('events wait while there is no connection, and when the browser takes no more', () => {
  set('onLine', false);
  track({ name: 'click' });
  flush();
  expect(sent).toEqual([]);
  set('onLine', true);
  const { sendBeacon } = navigator;
  set('sendBeacon', () => false);
  flush();
  set('sendBeacon', sendBeacon);
  flush();
  expect(told()).toEqual([['click', null, null]]);
});

it('who asks not to be tracked is not counted, and tells of errors without saying where', () => {
  set('doNotTrack', '1');
  track({ name: 'click' });
  report({ name: 'uncaught_browser_error', label: 'x' });
  flush();
  expect(told()).toEqual([['uncaught_browser_error', 'x', null]]);
  expect(sent[0]?.events[0]).toMatchObject({ page_url: null, breakpoint: null, version: null });
});

it('clicks on what is named are counted, and rage clicks on anything', () => {
  const stop = watchClicks();
  document.body.innerHTML = '<button data-event="share-tip"><b>Share</b></button><a id="dead">Dead</a>';
  const [share, dead] = [document.querySelector('b'), document.querySelector('#dead')];
  if (!share || !dead) throw new Error('The page is empty.');
  fireEvent.click(share);
  for (let click = 0; click < rageClicks.count + 2; click += 1) fireEvent.click(dead);
  stop();
  fireEvent.click(share);
  flush();
  expect(told()).toEqual([
    ['click', 'share-tip', null],
    ['rage_click', 'dead', null],
  ]);
});

it('a page is counted, and one that is missing by what was looked for', () => {
  trackPage();
  history.replaceState(null, '', '/tipster/nobody');
  document.head.innerHTML = '<meta name="next-error" content="not-found">';
  trackPage();
  flush();
  expect(told().map(([name]) => name)).toEqual(['page_view', 'not_found:portfolio']);
});

it('errors that nobody caught are told by class; what is only for debugging only where that is wanted', () => {
  const fail = (error: unknown) =>
    window.dispatchEvent(
      new ErrorEvent('error', { error, message: String(error), filename: 'https://tags.example/t.js' }),
    );
  const refused = Object.assign(new Error('No'), { status: 401 });
  const stop = startErrorLog({ thirdParties: ['https://tags.example'], debug: false });
  fail(refused);
  fail(new Error('tag'));
  window.dispatchEvent(
    Object.assign(new Event('unhandledrejection'), { reason: Object.assign(new Error('Down'), { status: 503 }) }),
  );
  stop();
  const stopAgain = startErrorLog({ thirdParties: [], debug: true });
  fail(refused);
  stopAgain();
  flush();
  expect(told()).toEqual([
    ['server_error', 'Error: Down', 503],
    ['server_error', 'Error: No', 401],
  ]);
});
