import { markViewer } from '@/components/state/interaction';
import { memberCookieName, ownFormatsKey } from '@/lib/accounts/schema';
import { runBeforePaint } from '../support/paint';

const { dataset } = document.documentElement;

/** What a page that is opened at the path does before its first paint. */
function open(path: string): void {
  history.replaceState(null, '', path);
  delete dataset.awaits;
  runBeforePaint();
}

const signOut = () => void (document.cookie = `${memberCookieName}=; Path=/; Expires=${new Date(0).toUTCString()}`);

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
  document.cookie = `${memberCookieName}=1; Path=/`;
});
afterEach(() => {
  jest.useRealTimers();
  signOut();
});

test('what a member sees otherwise waits for them, three seconds at most', () => {
  localStorage.setItem(ownFormatsKey, 'odds times');
  open('/golf');
  expect([dataset.known, dataset.awaits]).toEqual(['member', 'odds times']);
  jest.advanceTimersByTime(2_999);
  expect(dataset.awaits).toBe('odds times');
  jest.advanceTimersByTime(1);
  expect(dataset.awaits).toBeUndefined();
});

test('it waits no longer than until it is known that nobody is signed in', () => {
  localStorage.setItem(ownFormatsKey, 'odds');
  open('/golf');
  markViewer('guest');
  expect(dataset.awaits).toBeUndefined();
});

test('nothing waits for a member who sees pages as they are made, on a page that is made for them, or for a guest', () => {
  open('/golf');
  expect(dataset.awaits).toBeUndefined();
  localStorage.setItem(ownFormatsKey, 'odds');
  open('/dashboard/bets');
  expect(dataset.awaits).toBeUndefined();
  signOut();
  open('/golf');
  expect(dataset.awaits).toBeUndefined();
});
