import { isProtectedPath } from '@/lib/route-table';

test.each(['/api/user/portfolio/ann/posts/add-post', '/api/user/portfolio/ann/earnings', '/api/user/portfolio/manage'])(
  'the call %s answers for itself, and leads nobody to the login',
  (path) => {
    expect(isProtectedPath(path)).toBe(false);
  },
);

test.each(['/tipster/ann/posts/add-post', '/tipster/ann/manage', '/admin'])(
  'the page %s still leads a guest to the login',
  (path) => {
    expect(isProtectedPath(path)).toBe(true);
  },
);
