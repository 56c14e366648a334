import { addressAt, type AnswerOf, type Ask, callAddress, requestLine } from '@/lib/calls';

test('the address of a call holds its parameters, each encoded', () => {
  expect(callAddress('GET /log/keys')).toBe('/api/log/keys');
  expect(callAddress('GET /fixture/{reference}', { params: { reference: '../a/b?c' } })).toBe(
    '/api/fixture/..%2Fa%2Fb%3Fc',
  );
  expect(callAddress('GET /log/tile/{...path}', { params: { path: ['0', 'x001', '000.p'] } })).toBe(
    '/api/log/tile/0/x001/000.p',
  );
  expect(callAddress('GET /search', { query: { q: 'a b&c', limit: 3 } })).toBe('/api/search?q=a+b%26c&limit=3');
});

test('what is undefined is not asked for', () => {
  expect(addressAt('/search', { q: 'a', limit: undefined })).toBe('/api/search?q=a');
});

test('a call has its method and its path', () => {
  expect(requestLine('DELETE /user/bets/{reference}', { params: { reference: 'a b' } })).toEqual({
    method: 'DELETE',
    path: '/user/bets/a%20b',
  });
});

test('the compiler refuses what no call takes or answers', () => {
  const refused = [
    // @ts-expect-error There is no such path.
    () => callAddress('GET /fixtures/{reference}', { params: { reference: 'a' } }),
    // @ts-expect-error The call has no such method.
    () => callAddress('PUT /fixture/{reference}', { params: { reference: 'a' } }),
    // @ts-expect-error A parameter is missing.
    () => callAddress('GET /fixture/{reference}'),
    // @ts-expect-error The parameter has another name.
    () => callAddress('GET /fixture/{reference}', { params: { fixture: 'a' } }),
    // @ts-expect-error A call that takes no query is given one.
    () => callAddress('GET /log/keys', { query: { a: 1 } }),
    // @ts-expect-error The body lacks the password.
    (): Ask<'POST /auth/token'> => ({ body: { username: 'ann' } }),
    // @ts-expect-error The write is done once under a name.
    (): Ask<'POST /user/portfolio/{reference}/abandon'> => ({ params: { reference: 'ann' } }),
    // @ts-expect-error The answer holds no such thing.
    (answer: AnswerOf<'GET /edge/version'>) => answer.build,
  ];
  expect(refused).toHaveLength(8);
});
