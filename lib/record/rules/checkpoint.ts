import { type Checkpoint, checkpointSchema, type LedgerKey } from '../schema/checkpoints';
import type { LedgerHead } from '../schema/entries';
import { base64urlOf, bytesOfBase64url, canonicalJson, sha256, utf8, webCrypto } from './canonical';
import type { Problem, ProblemKind } from './problem';

/** RFC 7638: the id of an Ed25519 public key, the SHA-256 of its required members, in base64url. */
export async function keyIdOf(x: string): Promise<string> {
  return base64urlOf(await sha256(utf8(canonicalJson({ kty: 'OKP', crv: 'Ed25519', x }))));
}

/** A public key as the ledger publishes it; `x` is the JWK's own member, `validFrom` the moment from which it signs. */
export async function ledgerKeyOf(x: string, validFrom: string): Promise<LedgerKey> {
  return {
    kty: 'OKP',
    crv: 'Ed25519',
    alg: 'EdDSA',
    use: 'sig',
    x,
    kid: await keyIdOf(x),
    validFrom,
    validUntil: null,
  };
}

const signedBytes = ({ signature: _, ...statement }: Checkpoint) => utf8(canonicalJson(statement));

/**
 * Product §6: the checkpoint of a ledger that ends at `head` and has this Merkle root, signed at `at` or, where the ledger
 * is dated later, then. Whoever stores it keeps its `at` as the ledger's: nothing later may be dated before it. `counted` where the last entry counts the portfolios.
 */
export async function signCheckpoint(
  head: LedgerHead,
  root: string,
  at: string,
  key: { keyId: string; privateKey: CryptoKey },
  states: { counted?: true } = {},
): Promise<Checkpoint> {
  const { sequence, hash } = head;
  const statement = checkpointSchema.parse({
    sequence,
    hash,
    root,
    at: at < head.at ? head.at : at,
    ...states,
    keyId: key.keyId,
    signature: 'A'.repeat(86),
  });
  const signature = await webCrypto().sign('Ed25519', key.privateKey, signedBytes(statement));
  return { ...statement, signature: base64urlOf(new Uint8Array(signature)) };
}

/** Whether the checkpoint bears this key's signature; throws an Error that says what to do where Ed25519 is not known. */
export async function isSignedBy(checkpoint: Checkpoint, { x }: LedgerKey): Promise<boolean> {
  const key = await importKey(x);
  return (
    key !== null && webCrypto().verify('Ed25519', key, bytesOfBase64url(checkpoint.signature), signedBytes(checkpoint))
  );
}

async function importKey(x: string): Promise<CryptoKey | null> {
  try {
    return await webCrypto().importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x }, 'Ed25519', false, ['verify']);
  } catch (error) {
    if ((error as Error).name !== 'NotSupportedError') return null;
    throw new Error(
      'This browser cannot check Ed25519 signatures. Use a current one, or verify an export with npm run ledger:verify.',
      { cause: error },
    );
  }
}

const problem = (kind: ProblemKind, sentence: string): Problem => ({ kind, sequence: null, sentence });

/** What is wrong with a key: an id that is not its own, or a validity that ends before it begins. */
export async function problemOfKey({ kid, x, validFrom, validUntil }: LedgerKey): Promise<Problem | null> {
  if (kid !== (await keyIdOf(x)))
    return problem('key', `The key ${kid} does not bear its own thumbprint; the key or its id was changed.`);
  if (validUntil !== null && validUntil <= validFrom)
    return problem('key', `The key ${kid} ends (${validUntil}) before it begins (${validFrom}).`);
  return null;
}

/** What is wrong with a checkpoint by itself: an unknown or untrusted key, a time at which that key did not sign, a false signature. */
export async function problemOfCheckpoint(
  checkpoint: Checkpoint,
  keys: ReadonlyMap<string, LedgerKey>,
  trustedKeyIds: readonly string[] | null,
): Promise<Problem | null> {
  const { sequence, at, keyId } = checkpoint;
  const name = `The checkpoint at entry ${sequence}`;
  const key = keys.get(keyId);
  if (!key) return problem('key', `${name} is signed by the key ${keyId}, which is not among the published keys.`);
  if (trustedKeyIds && !trustedKeyIds.includes(keyId))
    return problem('key', `${name} is signed by the key ${keyId}, which is not one that you trust.`);
  if (at < key.validFrom || (key.validUntil !== null && at >= key.validUntil))
    return problem('key', `${name} is dated ${at}, when the key ${keyId} was not valid.`);
  if (!(await isSignedBy(checkpoint, key)))
    return problem(
      'signature',
      `${name} has a false signature; it was changed after it was signed, or never signed by the key ${keyId}.`,
    );
  return null;
}
