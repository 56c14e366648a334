import 'server-only';
import { sql } from 'kysely';
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { database } from '@/lib/platform/database';
import { ledgerKeyOf } from '../rules/checkpoint';

/** The key that signs checkpoints, made on first use; the caller holds the end of the ledger, so that only one is made. */
export async function currentKey(now: Date): Promise<{ keyId: string; privateKey: CryptoKey }> {
  const { rows } = await sql<{ id: string; privateJwk: JWK }>`select id, private_jwk as "privateJwk" from signing_key where not retired order by id limit 1`.execute(database());
  const [known] = rows;
  if (known) return { keyId: known.id, privateKey: await privateKeyOf(known.privateJwk) };
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(publicKey), exportJWK(privateKey)]);
  const key = await ledgerKeyOf(publicJwk.x ?? '', now.toISOString());
  await sql`
    insert into signing_key (id, public_key, private_jwk) values (${key.kid}, ${JSON.stringify(key)}, ${JSON.stringify(privateJwk)})
  `.execute(database());
  return { keyId: key.kid, privateKey };
}

async function privateKeyOf(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'EdDSA');
  if (key instanceof Uint8Array) throw new Error('The signing key is no Ed25519 key.');
  return key;
}
