import { act, fireEvent, render, screen } from '@testing-library/react';
import { markViewer, windowLoadDelayMilliseconds } from '@/components/state/interaction';
import { LazyBlock } from '@/components/ui/lazy-block';

const Greeting = ({ name }: { name: string }) => <p>Good morning, {name}</p>;

let load: jest.Mock<Promise<typeof Greeting>, []>;
let inView: ((isIntersecting: boolean) => void) | null = null;
let rootMargin: string | undefined;

beforeEach(() => {
  jest.useFakeTimers();
  load = jest.fn(async () => Greeting);
  inView = null;
  Object.assign(globalThis, {
    IntersectionObserver: class {
      constructor(listener: (entries: { isIntersecting: boolean }[]) => void, options: IntersectionObserverInit) {
        rootMargin = options.rootMargin;
        inView = (isIntersecting) => listener([{ isIntersecting }]);
      }
      observe() {}
      disconnect() {
        inView = null;
      }
    },
  });
  Object.defineProperty(document, 'readyState', { configurable: true, value: 'interactive' });
  delete document.documentElement.dataset.viewer;
});
afterEach(() => {
  jest.useRealTimers();
  Object.defineProperty(document, 'readyState', { configurable: true, value: 'complete' });
});

const show = () => render(<LazyBlock load={load} props={{ name: 'Ann' }} name="The greeting" />);
const isShown = async () => {
  await act(() => jest.advanceTimersByTimeAsync(0));
  return screen.queryByText('Good morning, Ann') !== null;
};

it('fetches nothing until there is a reason to', async () => {
  show();
  act(() => inView?.(false));
  await act(() => jest.advanceTimersByTimeAsync(60_000));
  act(() => markViewer('guest'));
  expect([await isShown(), load.mock.calls.length]).toEqual([false, 0]);
});

it.each<[string, () => void]>([
  ['is nearly in view', () => act(() => inView?.(true))],
  ['follows the first touch', () => fireEvent.pointerDown(document.body)],
  ['follows the first key', () => fireEvent.keyDown(document.body, { key: 'Tab' })],
  ['is for a member who became known', () => act(() => markViewer('member'))],
])('is fetched once when it %s', async (_, happen) => {
  show();
  happen();
  expect(await isShown()).toBe(true);
  fireEvent.keyDown(document.body);
  act(() => markViewer('member'));
  expect([await isShown(), load.mock.calls.length]).toEqual([true, 1]);
});

it('is fetched at once for a member who is known already', async () => {
  markViewer('member');
  show();
  expect(await isShown()).toBe(true);
});

it('is fetched a little after the window has loaded', async () => {
  show();
  fireEvent.load(window);
  await act(() => jest.advanceTimersByTimeAsync(windowLoadDelayMilliseconds - 1));
  expect(load).not.toHaveBeenCalled();
  await act(() => jest.advanceTimersByTimeAsync(1));
  expect(await isShown()).toBe(true);
});

it.each([
  [900, '450px'],
  [0, '64px'],
])('is near at half the height of a viewport of %d px, which is %s', (height, margin) => {
  Object.defineProperty(window, 'innerHeight', { configurable: true, value: height });
  show();
  expect(rootMargin).toBe(margin);
});

it('says that it could not be fetched, tells the log, and can be tried again', async () => {
  const failure = new Error('Loading chunk 7 failed');
  const told = jest.fn();
  Object.assign(globalThis, { reportError: told });
  load.mockRejectedValueOnce(failure);
  show();
  fireEvent.keyDown(document.body);
  await act(() => jest.advanceTimersByTimeAsync(0));
  expect(screen.getByRole('status')).toHaveTextContent('The greeting could not be loaded.');
  expect(told.mock.calls).toEqual([[failure]]);
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await isShown()).toBe(true);
});

it('is not fetched any more once it has gone', async () => {
  show().unmount();
  fireEvent.keyDown(document.body);
  await jest.advanceTimersByTimeAsync(0);
  expect(load).not.toHaveBeenCalled();
});
