import { calls } from '@/app/api/calls';
import type { Call } from '@/lib/api/handle';
import { limitOf } from '@/lib/api/limits';

const limited = Object.entries(calls).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Call>)
    .filter(([method]) => /^[A-Z]+$/.test(method))
    .map(([method, { declaration }]) => ({ name: `${method} ${path}`, method, limit: limitOf(method, declaration) })),
);

// Ours (0099): without a limit whoever sends a fresh key each time leaves a row of each write.
test('every call that writes is limited', () => {
  const writes = limited.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
  expect(writes.length).toBeGreaterThan(70);
  expect(writes.filter(({ limit }) => !limit).map(({ name }) => name)).toEqual([]);
});

test('a call that computes at each question is limited', () => {
  expect(limited.find(({ name }) => name === 'GET /user/bets/stats')?.limit).toEqual({ hits: 30, windowSeconds: 60 });
});
