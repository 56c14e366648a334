import { isNewerVersion, isRefreshable } from '@/components/state/version-rules';

const site = 'https://tipledger.example';

test.each([
  '/register',
  '/register/verify',
  '/tipster/ann/manage',
  '/tipster/new',
  '/tipster/ann/posts/add-post',
  '/tipster/ann/posts/first/edit',
  '/search?q=arsenal',
  '/football?faq=1',
  '/unsubscribe/6f1c',
  '/admin',
  '/admin/users',
])('a new version does not reload %s', (path) => {
  expect(isRefreshable(new URL(path, site))).toBe(false);
});

test.each([
  '/',
  '/football',
  '/tipster',
  '/tipster/newton',
  '/tipster/ann',
  '/articles/editors-choice',
  '/bookmaker-reviews/managed-funds',
  '/dashboard',
  '/administration',
])('a new version reloads %s', (path) => {
  expect(isRefreshable(new URL(path, site))).toBe(true);
});

test.each([
  ['of another build', 'a', 'b', true],
  ['of this build', 'a', 'a', false],
  ['that says nothing', 'a', '', false],
  ['in development', 'a', 'development', false],
])('a server %s is newer or not', (_, own, running, expected) => {
  expect(isNewerVersion(own, running)).toBe(expected);
});

test('a page that no build made is never behind', () => {
  expect(isNewerVersion(null, 'b')).toBe(false);
});
