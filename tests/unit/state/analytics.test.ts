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

test('a long text is cut', () => {
  expect(withoutPersonalData('a '.repeat(500))).toHaveLength(200);
});
