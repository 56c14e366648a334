import 'server-only';
import path from 'node:path';
import { sql } from 'kysely';
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { Failure, isFailure } from '@/lib/platform/errors';
import { createSecretFile, readSecretFile, whyNotWritable } from '@/lib/platform/secret-file';
import { keyIdOf, ledgerKeyOf } from '../rules/checkpoint';
import type { LedgerKey } from '../schema/checkpoints';

/** A key that signs for the ledger: its id, its private half, and the public one as the member `x` of a JSON Web Key. */
export type SigningKey = { keyId: string; privateKey: CryptoKey; x: string };

/** The file of the private key, in the data folder of this instance. */
export const keyFile = () => path.join(env().dataFolder, 'ledger-signing-key.jwk');

/** The file in which a new private key waits while a rotation is under way. */
export const nextKeyFile = () => path.join(env().dataFolder, 'ledger-signing-key.next.jwk');

/** The private key in a JSON Web Key. */
export async function signingKeyOf(jwk: JWK): Promise<SigningKey> {
  const privateKey = await importJWK(jwk, 'EdDSA');
  if (privateKey instanceof Uint8Array || !jwk.x) throw new Error('The signing key is no Ed25519 key.');
  return { keyId: await keyIdOf(jwk.x), privateKey, x: jwk.x };
}

/** A new private key as a JSON Web Key. */
export async function newPrivateKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  return exportJWK(privateKey);
}

// Of what an error says only its kind is passed on: the rest may quote the key.
const unreadable = (place: string, error: unknown) => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const why = String(typeof code === 'string' ? code : name);
  return new Failure(
    'unavailable',
    `This instance cannot sign the ledger: the key in ${place} cannot be read (${why}). Give the program the whole key, in a file that its user may read.`,
  );
};

async function readKey(place: string, read: () => string | null): Promise<SigningKey[]> {
  try {
    const text = read();
    return text === null ? [] : [await signingKeyOf(JSON.parse(text) as JWK)];
  } catch (error) {
    throw unreadable(place, error);
  }
}

/** The private keys that this instance has: that of the setting, that of the file, and that of a rotation that was cut off. Failure 'unavailable' where one of them cannot be read. */
export async function readOwnKeys(): Promise<SigningKey[]> {
  const setting = env().TIPLEDGER_SIGNING_KEY ?? null;
  const files = [keyFile(), nextKeyFile()].map((file) => readKey(file, () => readSecretFile(file)));
  return (await Promise.all([readKey('TIPLEDGER_SIGNING_KEY', () => setting), ...files])).flat();
}

/** The public key that signs now, or null before the first checkpoint. */
export async function findPublishedKey(): Promise<LedgerKey | null> {
  const { rows } = await sql<{
    key: LedgerKey;
  }>`select public_key as key from signing_key where not retired order by id limit 1`.execute(database());
  return rows[0]?.key ?? null;
}

const cannotSign = (kid: string) =>
  `This instance cannot sign the ledger: the private key of ${kid} is neither in ${keyFile()} nor in TIPLEDGER_SIGNING_KEY. Put it there; another is made by "npm run ledger:rotate-key" only, where the private key is.`;

const cannotKeep = (why: string) =>
  `This instance cannot sign the ledger: its key cannot be kept in ${keyFile()} (${why}). Set TIPLEDGER_DATA to a folder that the program may write to and that has room.`;

/** Why this instance cannot sign checkpoints, in one line, or null. */
export async function whyCannotSign(): Promise<string | null> {
  const published = await findPublishedKey();
  try {
    const own = await readOwnKeys();
    if (published) return own.some(({ keyId }) => keyId === published.kid) ? null : cannotSign(published.kid);
    const why = own.length > 0 ? null : whyNotWritable(keyFile());
    return why === null ? null : cannotKeep(why);
  } catch (error) {
    if (isFailure(error)) return error.message;
    throw error;
  }
}

/**
 * The key that signs checkpoints; the caller holds the end of the ledger, so that only one is made, on the first use of a ledger that none
 * has signed. Failure 'unavailable' where the key is published but its private half is not here: another is never made for it.
 */
export async function currentKey(now: Date): Promise<SigningKey> {
  const published = await findPublishedKey();
  const own = await readOwnKeys();
  if (published) {
    const found = own.find(({ keyId }) => keyId === published.kid);
    if (!found) throw new Failure('unavailable', cannotSign(published.kid));
    return found;
  }
  const { rows } = await sql`select from ledger_checkpoint limit 1`.execute(database());
  if (rows.length > 0)
    throw new Failure(
      'unavailable',
      'The ledger has signed checkpoints but no key to go on with: its table of keys was changed. Nothing is signed.',
    );
  const key = own[0] ?? (await makeKey());
  const publicKey = await ledgerKeyOf(key.x, now.toISOString());
  await sql`insert into signing_key (id, public_key) values (${publicKey.kid}, ${JSON.stringify(publicKey)})`.execute(
    database(),
  );
  return key;
}

async function makeKey(): Promise<SigningKey> {
  createSecretFile(keyFile(), JSON.stringify(await newPrivateKey()));
  // Another program of this folder may have been first.
  const [made] = await readOwnKeys();
  if (!made) throw new Error(`The signing key was not kept in ${keyFile()}.`);
  return made;
}
