import fc from 'fast-check';
import { authenticatorAddress, base32, fromBase32, stepOf, stepOfCode, totpCode } from '@/lib/staff/rules/totp';

const key = new Uint8Array(Buffer.from('12345678901234567890'));

describe('the codes of RFC 6238, appendix B, with SHA-1', () => {
  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('at second %d', async (seconds, code) => {
    const step = stepOf(new Date(seconds * 1000));
    expect(await totpCode(key, step, 8)).toBe(code);
    expect(await totpCode(key, step)).toBe(code.slice(2));
  });
});

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base 32 writes %p as RFC 4648 does', (text, written) => {
  expect(base32(Buffer.from(text))).toBe(written);
});

test('base 32 gives back what was written, and refuses what is not of it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) =>
      expect([...fromBase32(base32(bytes))]).toEqual([...bytes]),
    ),
  );
  expect(() => fromBase32('A1')).toThrow('base 32');
});

test('a code holds for its step and those beside it, once, and none before the last', async () => {
  const now = new Date(1_000_000_020_000);
  const step = stepOf(now);
  for (const [off, found] of [
    [-2, null],
    [-1, step - 1],
    [0, step],
    [1, step + 1],
    [2, null],
  ] as const)
    expect(await stepOfCode(key, await totpCode(key, step + off), 0, now)).toBe(found);
  expect(await stepOfCode(key, await totpCode(key, step), step, now)).toBeNull();
  expect(await stepOfCode(key, await totpCode(key, step - 1), step, now)).toBeNull();
});

test('an authenticator is told the key, the account and the issuer', () => {
  const address = new URL(authenticatorAddress('MZXW6YTB', 'ann lee', 'Tipledger'));
  expect(address.protocol).toBe('otpauth:');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    secret: 'MZXW6YTB',
    issuer: 'Tipledger',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
  expect(address.pathname).toContain('ann%20lee');
});
