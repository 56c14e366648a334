import { speculationRules } from '@/lib/http/speculation-rules';
import { matchPath, routeTable } from '@/lib/route-table';

const { prerender, prefetch } = JSON.parse(speculationRules);
const [{ href_matches: taken }, { not: excepted }] = prerender[0].where.and;

test('are the same for both ways', () => expect(prefetch).toEqual(prerender));

const isOf = (patterns: readonly string[], path: string) =>
  patterns.some((pattern) => matchPath(pattern.replace(/:(\w+)/g, '{$1}'), path) !== null);

test.each(routeTable.map((route) => [route.path, route] as const))(
  'let %s be fetched ahead only where its row says so and everybody may see it',
  (path, { access, shell }) => {
    const address = path.replace(/\{\w+\}/g, 'something-else');
    expect(isOf(taken, address) && !isOf(excepted.href_matches, address)).toBe(access === 'public' && shell.preload);
  },
);

test('name a path once for all sports, and only those exceptions that they would take otherwise', () => {
  const isAhead = (path: string) => isOf(taken, path) && !isOf(excepted.href_matches, path);
  expect(taken.filter((pattern: string) => pattern.includes('/league/'))).toEqual(['/:sport/league/:leagueReference']);
  expect(excepted.href_matches).toContain('/tipster/new');
  expect(excepted.href_matches).not.toContain('/login');
  // A portfolio may be called as a part of a sport's paths is.
  expect(['/tipster/league/stats', '/tipster/league/manage', '/tipster/team/earnings'].map(isAhead)).toEqual([
    true,
    false,
    false,
  ]);
});
