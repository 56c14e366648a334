import { problemOfKeys, trustedThrough } from '@/lib/record/rules';
import { ledgerKeyOf } from '@/lib/record/rules/checkpoint';
import { problemOfRotation, signRotation } from '@/lib/record/rules/rotation';
import type { LedgerKey } from '@/lib/record/schema';
import { ledgerKeySchema } from '@/lib/record/schema/checkpoints';

const moments = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'];

/** Three keys, each signed by the one before. */
async function chain(): Promise<LedgerKey[]> {
  const keys: LedgerKey[] = [];
  let old: { keyId: string; privateKey: CryptoKey } | null = null;
  for (const [index, from] of moments.entries()) {
    const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
    const { x = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey);
    const key: LedgerKey = { ...(await ledgerKeyOf(x, from)), validUntil: moments[index + 1] ?? null };
    keys.push(old ? { ...(await signRotation(key, old)) } : key);
    old = { keyId: key.kid, privateKey: pair.privateKey };
  }
  return keys;
}

const mapOf = (keys: readonly LedgerKey[]) => new Map(keys.map((key) => [key.kid, key]));

test('keys that follow on each other have nothing wrong with them, in whatever order they are told', async () => {
  const keys = await chain();
  expect(keys.map((key) => ledgerKeySchema.parse(key))).toEqual(keys);
  expect(await problemOfKeys(mapOf(keys))).toBeNull();
  expect(await problemOfKeys(mapOf(keys.toReversed()))).toBeNull();
  expect(await problemOfKeys(mapOf(keys.slice(0, 1)))).toBeNull();
  expect(await problemOfKeys(new Map())).toBeNull();
});

test('a key from before keys could follow on another parses as it is', async () => {
  const [first] = await chain();
  expect(first).not.toHaveProperty('rotation');
});

describe('keys are found not to follow on each other', () => {
  test.each<[string, (keys: LedgerKey[]) => LedgerKey[], RegExp]>([
    ['the first one left out', (keys) => keys.slice(1), /which is not among the published keys/],
    ['one between left out', ([a, , c]) => [a!, c!], /was not signed by the key before it/],
    [
      'a foreign one added',
      ([a, b, c]) => [a!, b!, { ...c!, rotation: undefined }],
      /was not signed by the key before it/,
    ],
    [
      'the signature of another',
      ([a, b, c]) => [a!, { ...b!, rotation: { ...b!.rotation!, signature: c!.rotation!.signature } }, c!],
      /bears a false signature/,
    ],
    [
      'another beginning',
      ([a, b, c]) => [
        { ...a!, validUntil: '2026-01-15T00:00:00.000Z' },
        { ...b!, validFrom: '2026-01-15T00:00:00.000Z' },
        c!,
      ],
      /bears a false signature/,
    ],
    [
      'a time in which two sign',
      ([a, b, c]) => [{ ...a!, validUntil: '2026-02-15T00:00:00.000Z' }, b!, c!],
      /begins at .*, not when the key before it ends/,
    ],
    ['an old one that never ends', ([a, b, c]) => [{ ...a!, validUntil: null }, b!, c!], /\(never\)/],
  ])('%s', async (_, change, sentence) => {
    const problem = await problemOfRotation(mapOf(change(await chain())));
    expect(problem).toMatchObject({ kind: 'key', sequence: null });
    expect(problem?.sentence).toMatch(sentence);
  });
});

test('trust in a key reaches those that it and its followers signed, and none before', async () => {
  const keys = await chain();
  const [first = '', second = '', third = ''] = keys.map(({ kid }) => kid);
  expect(trustedThrough(mapOf(keys), null)).toBeNull();
  expect(trustedThrough(mapOf(keys), [first])).toEqual([first, second, third]);
  expect(trustedThrough(mapOf(keys), [second])).toEqual([second, third]);
  expect(trustedThrough(mapOf(keys), ['another'])).toEqual(['another']);
});
