import { knownViewer, showGuest, type ViewerState } from '@/components/state/viewer';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const foundBy = (promise: Promise<ViewerState>) => {
  const found: string[] = [];
  void promise.then(({ kind }) => found.push(kind));
  return found;
};

test('who waits for the viewer goes on when nobody is found out in time, and at once when somebody is', async () => {
  const inTime = foundBy(knownViewer(10_000));
  await jest.advanceTimersByTimeAsync(9_999);
  expect(inTime).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(inTime).toEqual(['unknown']);
  const known = foundBy(knownViewer(10_000));
  showGuest();
  await jest.advanceTimersByTimeAsync(0);
  expect(known).toEqual(['guest']);
  await expect(knownViewer(10_000)).resolves.toEqual({ kind: 'guest' });
});
