import 'server-only';
import { sql } from 'kysely';
import type { JWK } from 'jose';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { decisionMoment } from '@/lib/platform/moment';
import { readSecretFile, removeSecretFile, replaceSecretFile } from '@/lib/platform/secret-file';
import { ledgerKeyOf } from '../rules/checkpoint';
import { signRotation } from '../rules/rotation';
import { currentKey, findPublishedKey, keyFile, newPrivateKey, nextKeyFile, signingKeyOf } from './keys';

/**
 * Ours (0046): lets a new key sign from now on, signed by the old one and published with that; checkpoints of the old key verify as before.
 * Gives both ids and where the private key lies. Failure 'unavailable' where the old private key is not here.
 */
export async function rotateLedgerKey(): Promise<{ oldKeyId: string; newKeyId: string; file: string }> {
  const rotated = await transact(async () => {
    const { rows } = await sql<{ at: Date }>`select at from ledger_head for update`.execute(database());
    const now = await decisionMoment();
    const old = await currentKey(now);
    const published = await findPublishedKey();
    if (!rows[0] || published?.kid !== old.keyId) throw new Error('The key that signs is not published.');
    // The old key's last checkpoint is dated at the latest like the head, and a key signs until before its end.
    const from = new Date(Math.max(now.getTime(), rows[0].at.getTime() + 1)).toISOString();
    const privateJwk = await newPrivateKey();
    const fresh = await signingKeyOf(privateJwk);
    const key = await signRotation(await ledgerKeyOf(fresh.x, from), old);
    await settleCutOff(old.keyId);
    replaceSecretFile(nextKeyFile(), JSON.stringify(privateJwk));
    await sql`update signing_key set public_key = ${JSON.stringify({ ...published, validUntil: from })}, retired = true where id = ${old.keyId}`.execute(
      database(),
    );
    await sql`insert into signing_key (id, public_key) values (${key.kid}, ${JSON.stringify(key)})`.execute(database());
    await sql`update ledger_head set at = ${from}`.execute(database());
    await forget(['ledger']);
    return { oldKeyId: old.keyId, newKeyId: key.kid, privateJwk };
  });
  settleKeyFile(rotated.privateJwk);
  return { oldKeyId: rotated.oldKeyId, newKeyId: rotated.newKeyId, file: keyFile() };
}

function settleKeyFile(privateJwk: JWK): void {
  replaceSecretFile(keyFile(), JSON.stringify(privateJwk));
  removeSecretFile(nextKeyFile());
}

// A rotation that ended between its commit and this left the key that signs in the other file.
async function settleCutOff(keyId: string): Promise<void> {
  const waiting = readSecretFile(nextKeyFile());
  if (waiting === null) return;
  const jwk = JSON.parse(waiting) as JWK;
  if ((await signingKeyOf(jwk)).keyId === keyId) settleKeyFile(jwk);
}

/** What is done with a connection of the owner. */
type Query = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;

/**
 * Moves private keys that an earlier version kept in the database into the file of this instance, the one that signs, and empties them
 * there; `query` runs as the owner. Returns how many there were. Throws when the file holds another key, and leaves them where they are.
 */
export async function movePrivateKeys(query: Query): Promise<number> {
  const { rows: any } = await query('select from signing_key where private_jwk is not null limit 1');
  if (any.length === 0) return 0;
  await query('begin');
  try {
    await query('select 1 from ledger_head for update');
    const { rows } = (await query(
      'select id, private_jwk as jwk, retired from signing_key where private_jwk is not null',
    )) as { rows: { id: string; jwk: JWK; retired: boolean }[] };
    for (const { id, jwk, retired } of rows) if (!retired) await keepInFile(id, jwk);
    await query('update signing_key set private_jwk = null where private_jwk is not null');
    await query('commit');
    // The old rows would lie in the table's file until it is cleaned some day.
    await query('vacuum full signing_key');
    return rows.length;
  } catch (error) {
    await query('rollback').catch(() => undefined);
    throw error;
  }
}

async function keepInFile(id: string, jwk: JWK): Promise<void> {
  const file = keyFile();
  const kept = readSecretFile(file);
  if (kept === null) return replaceSecretFile(file, JSON.stringify(jwk));
  if ((await signingKeyOf(JSON.parse(kept) as JWK)).keyId === id) return;
  throw new Error(
    `The file ${file} holds another key than ${id}, which signs the ledger and is to be moved there. Move that file away and start again.`,
  );
}
