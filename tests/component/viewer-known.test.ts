import { showGuest, whenViewerIsKnown } from '@/components/state/viewer';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const settledOf = (promise: Promise<void>) => {
  const seen = { settled: false };
  void promise.then(() => (seen.settled = true));
  return seen;
};

test('who waits for the viewer goes on when nobody is found out in time, and at once when somebody is', async () => {
  const inTime = settledOf(whenViewerIsKnown(10_000));
  await jest.advanceTimersByTimeAsync(9_999);
  expect(inTime.settled).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  expect(inTime.settled).toBe(true);
  const known = settledOf(whenViewerIsKnown(10_000));
  showGuest();
  await jest.advanceTimersByTimeAsync(0);
  expect(known.settled).toBe(true);
  await expect(whenViewerIsKnown(10_000)).resolves.toBeUndefined();
});
