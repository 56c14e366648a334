import { act, renderHook, waitFor } from '@testing-library/react';
import { useMarkets } from '@/components/add-tips/use-markets';
import type { LiveNews } from '@/components/state/live-line';
import { market, marketsView, quote, selection } from '../support/markets';

const listeners = new Map<string, Set<(news: LiveNews) => void>>();
jest.mock('@/components/state/live', () => ({
  watchTopic: (topic: string, listener: (news: LiveNews) => void) => {
    listeners.set(topic, (listeners.get(topic) ?? new Set()).add(listener));
    return () => void listeners.get(topic)?.delete(listener);
  },
}));

const topic = 'fixture:rovers-v-town';
const tell = (kind: LiveNews['kind']) =>
  act(async () => listeners.get(topic)?.forEach((listener) => listener({ topic, kind })));
const asked = () => (global.fetch as jest.Mock).mock.calls.length;

let thousandths: number;

beforeEach(() => {
  thousandths = 2100;
  global.fetch = jest.fn(async () => {
    const body = marketsView([market(1, 'match-result', [selection(1, 'home', 'Rovers', [quote(thousandths)])])]);
    return {
      ok: true,
      status: 200,
      statusText: '',
      headers: new Headers(),
      text: async () => JSON.stringify(body),
    } as Response;
  });
});

test('the prices of a desk and its modals follow the stream, asked for once for many changes, and listened to no longer than they are looked at', async () => {
  const [desk, modal] = [renderHook(() => useMarkets('rovers-v-town')), renderHook(() => useMarkets('rovers-v-town'))];
  const shown = () =>
    [desk, modal].map(({ result }) => result.current.view?.markets[0]?.selections[0]?.odds[0]?.price.oddsThousandths);
  await waitFor(() => expect(shown()).toEqual([2100, 2100]));
  expect(listeners.get(topic)?.size).toBe(1);
  // It moved before the stream opened, which therefore told of nothing.
  thousandths = 2200;
  await tell('state');
  await waitFor(() => expect(shown()).toEqual([2200, 2200]));
  expect(asked()).toBe(2);
  thousandths = 2300;
  await tell('change');
  await waitFor(() => expect(shown()).toEqual([2300, 2300]), { timeout: 3_000 });
  thousandths = 2400;
  for (let times = 0; times < 5; times += 1) await tell('change');
  expect(asked()).toBe(3);
  await waitFor(() => expect(shown()).toEqual([2400, 2400]), { timeout: 3_000 });
  expect(asked()).toBe(4);
  desk.unmount();
  expect(listeners.get(topic)?.size).toBe(1);
  modal.unmount();
  expect(listeners.get(topic)?.size).toBe(0);
});

test('prices that cannot be asked for after a change stay as they were, with the error beside them', async () => {
  const { result } = renderHook(() => useMarkets('rovers-v-town'));
  await waitFor(() => expect(result.current.view).toBeDefined());
  global.fetch = jest.fn(async () => {
    throw new TypeError('No connection.');
  });
  await tell('change');
  await waitFor(() => expect(result.current.error).toBeDefined());
  expect(result.current.view?.markets).toHaveLength(1);
});
