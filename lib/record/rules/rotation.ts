import type { LedgerKey } from '../schema/checkpoints';
import { base64urlOf, bytesOfBase64url, canonicalJson, utf8, webCrypto } from './canonical';
import { problemOfKey } from './checkpoint';
import type { Problem } from './problem';

const statementOf = ({ kty, crv, alg, use, x, kid, validFrom }: LedgerKey) =>
  utf8(canonicalJson({ newKey: { kty, crv, alg, use, x, kid }, from: validFrom }));

/** The new key with the statement of the old one that it follows on it: an Ed25519 signature over the canonical JSON of `{ newKey, from }`. */
export async function signRotation(
  newKey: LedgerKey,
  old: { keyId: string; privateKey: CryptoKey },
): Promise<LedgerKey> {
  const signature = await webCrypto().sign('Ed25519', old.privateKey, statementOf(newKey));
  return { ...newKey, rotation: { signedBy: old.keyId, signature: base64urlOf(new Uint8Array(signature)) } };
}

async function isSignedBy(key: LedgerKey, { x }: LedgerKey, signature: string): Promise<boolean> {
  const signer = await webCrypto()
    .importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x }, 'Ed25519', false, ['verify'])
    .catch(() => null);
  return signer !== null && webCrypto().verify('Ed25519', signer, bytesOfBase64url(signature), statementOf(key));
}

const inOrder = (keys: ReadonlyMap<string, LedgerKey>) =>
  [...keys.values()].toSorted((a, b) => (a.validFrom < b.validFrom ? -1 : 1));

/** What is wrong with published keys, each by itself and as they follow on each other. */
export async function problemOfKeys(keys: ReadonlyMap<string, LedgerKey>): Promise<Problem | null> {
  for (const key of keys.values()) {
    const problem = await problemOfKey(key);
    if (problem) return problem;
  }
  return problemOfRotation(keys);
}

/** What is wrong with how the keys follow on each other: each but the first begins when the one before ends, and is signed by it. */
export async function problemOfRotation(keys: ReadonlyMap<string, LedgerKey>): Promise<Problem | null> {
  const problem = (sentence: string): Problem => ({ kind: 'key', sequence: null, sentence });
  for (const [index, key] of inOrder(keys).entries()) {
    const before = inOrder(keys)[index - 1];
    if (!before && key.rotation)
      return problem(
        `The key ${key.kid} follows on the key ${key.rotation.signedBy}, which is not among the published keys.`,
      );
    if (!before) continue;
    if (key.rotation?.signedBy !== before.kid)
      return problem(`The key ${key.kid} was not signed by the key before it, ${before.kid}.`);
    if (before.validUntil !== key.validFrom)
      return problem(
        `The key ${key.kid} begins at ${key.validFrom}, not when the key before it ends (${before.validUntil ?? 'never'}).`,
      );
    if (!(await isSignedBy(key, before, key.rotation.signature)))
      return problem(`The key ${key.kid} bears a false signature of the key before it, ${before.kid}.`);
  }
  return null;
}

/** The keys that are trusted because these are: those that follow on them, each signed by the one before. Null trusts every published key. */
export function trustedThrough(
  keys: ReadonlyMap<string, LedgerKey>,
  trustedKeyIds: readonly string[] | null,
): readonly string[] | null {
  if (trustedKeyIds === null) return null;
  const trusted = new Set(trustedKeyIds);
  for (const key of inOrder(keys)) if (key.rotation && trusted.has(key.rotation.signedBy)) trusted.add(key.kid);
  return [...trusted];
}
