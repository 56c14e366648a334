import { Patterns } from '@/lib/http/patterns';

const patterns = new Patterns([
  ['/a/{x}/tips/{tip}', 'tip'],
  ['/a/{x}/tips/recent', 'recent'],
  ['/a/{x}', 'one'],
  ['/a/all', 'all'],
  ['/a/{x}/rest/{...path}', 'rest'],
  ['/{...path}', 'everything'],
]);

test.each([
  ['/a/all', 'all', {}],
  ['/a/b', 'one', { x: 'b' }],
  ['/a/b/tips/recent', 'recent', { x: 'b' }],
  ['/a/b/tips/c', 'tip', { x: 'b', tip: 'c' }],
  ['/a/b/rest/c', 'rest', { x: 'b', path: ['c'] }],
  ['/a/b/rest/c/d%2Fe', 'rest', { x: 'b', path: ['c', 'd/e'] }],
  ['/a/b/rest', 'everything', { path: ['a', 'b', 'rest'] }],
  ['/a/caf%C3%A9', 'one', { x: 'café' }],
  ['/a/100%', 'one', { x: '100%' }],
  ['/a/__proto__', 'one', { x: '__proto__' }],
  ['/a/{x}', 'one', { x: '{x}' }],
  ['/A/all', 'everything', { path: ['A', 'all'] }],
])('%s is %s', (address, value, params) => {
  expect(patterns.find(address)).toMatchObject({ value, params });
});

test('the rest of a path is of one part at least', () => {
  expect(new Patterns([['/tile/{...path}', 1]]).find('/tile')).toBeNull();
});
