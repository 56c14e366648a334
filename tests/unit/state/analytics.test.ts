import { breakpointWidths, withoutPersonalData } from '@/components/state/analytics';
import { notFoundEvent } from '@/components/state/analytics-events';
import { breakpoints } from '@/lib/reference/schema';

test('the breakpoints that events name are those of the specification', () => {
  expect(breakpointWidths).toEqual(breakpoints.map(({ name, minWidthRem }) => [name, minWidthRem]));
});

test.each([
  ['/fixture/rovers-v-town-2026-03-07', 'not_found:fixture'],
  ['/fixture/Rovers%20v%20Town', 'not_found:fixture_reference'],
  ['/tipster/nobody', 'not_found:portfolio'],
  ['/tipster/nobody/stats', 'not_found:portfolio'],
  ['/tipster/No--body', 'not_found:portfolio_reference'],
  ['/tipster/No--body/tips/abcdefghij', 'not_found:portfolio_reference'],
  ['/tipster/ann/tips/abcdefghij', 'not_found:portfolio_tip'],
  ['/tipster/ann/tips/abc', 'not_found:portfolio_tip_reference'],
  ['/tipster/ann/posts/abcdefghij', 'not_found:portfolio_post'],
  ['/tipster/ann/posts/my-post', 'not_found:portfolio_post_reference'],
  ['/tipster/ann/posts/My_Post', 'not_found:portfolio_post_reference'],
  ['/add-tips/rovers-v-town-2026-03-07', 'not_found:fixture'],
  ['/add-tips/Rovers%20v', 'not_found:fixture_reference'],
  ['/dashboard/reading/ann/tips/abcdefghij', 'not_found:portfolio_tip'],
  ['/dashboard/reading/ann/posts/abc', 'not_found:portfolio_post_reference'],
  ['/dashboard/checkout/nobody', 'not_found:portfolio'],
  ['/dashboard/nothing', 'not_found:page'],
  ['/nothing/here', 'not_found:page'],
  ['/', 'not_found:page'],
])('the address %s without a page is counted as %s', (path, event) => {
  expect(notFoundEvent(path)).toBe(event);
});

test.each([
  ['Error: ann@example.com is taken', 'Error: [e-mail] is taken'],
  ['/login?redirect_to=/dashboard failed', '/login failed'],
  ['order 123456789 of 12', 'order [number] of 12'],
  ['/unsubscribe/3f2504e0-4f89-41d3-9a0c-0305e82c3301', '/unsubscribe/[guid]'],
])('%j is told without what could be somebody’s own', (text, told) => {
  expect(withoutPersonalData(text)).toBe(told);
});

test.each([
  [
    'Error: Loading chunk 3028 failed.\n(error: https://tipledger.example/_next/static/chunks/3028.js)',
    'Error: Loading chunk 3028 failed. (error: https://tipledger.example/_next/static/chunks/3028.js)',
  ],
  [
    'Unexpected token \'<\', "<html>\r\n\t<head>" is not valid JSON',
    'Unexpected token \'<\', "<html> <head>" is not valid JSON',
  ],
  ['one\u2028two\u2029three\ufefffour', 'one two three four'],
  ['a\0b\u0085c\u202ed', 'abcd'],
  ['half \ud83d of one, \ude00 of another, \u{1f600} whole', 'half of one, of another, \u{1f600} whole'],
  ['ann\u00ad@example.com', '[e-mail]'],
])('%j is told on one line of whole characters', (text, told) => {
  expect(withoutPersonalData(text)).toBe(told);
});

test('a long text is cut, and never within a character', () => {
  expect(withoutPersonalData('a '.repeat(500))).toHaveLength(200);
  expect(withoutPersonalData('\u{1f600}'.repeat(500))).toBe('\u{1f600}'.repeat(100));
  expect(withoutPersonalData(`a${'\u{1f600}'.repeat(500)}`)).toBe(`a${'\u{1f600}'.repeat(99)}`);
});
