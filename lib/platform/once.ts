import { sql } from 'kysely';
import { database, transact } from './database';
import { holdAccount } from './held-account';
import { hashOfRequest, refuseOther } from './idempotency';

/** A write that a member named by a key: of two with one key, the request must be the same. One without a key is new each time. */
export type NamedWrite = { accountId: number; key: string | undefined; request: unknown };

/**
 * Product §8: does the work, under the lock of its account, and keeps its answer, which JSON can hold; the same key again is given that answer,
 * and nothing is done. Work that fails leaves its key free. Failure 'conflict' for a key that named another request, 'unauthorised' as with `holdAccount`.
 */
export async function once<T>({ accountId, key, request }: NamedWrite, now: Date, work: () => Promise<T>): Promise<T> {
  if (key === undefined)
    return transact(async () => {
      await holdAccount(accountId);
      return work();
    });
  const hash = hashOfRequest(request);
  return transact(
    async () => {
      // Before anything that refers to the account: a lock on it taken later would wait for whoever did the same, in a ring.
      await holdAccount(accountId);
      // Whoever sends the same key at the same time waits here for the first.
      const { rows } = await sql`
        insert into named_write (account_id, idempotency_key, request_hash, written_at) values (${accountId}, ${key}, ${hash}, ${now})
        on conflict do nothing returning account_id
      `.execute(database());
      if (rows.length === 0) return answerOf<T>(accountId, key, hash);
      const answer = await work();
      await sql`update named_write set answer = ${JSON.stringify(answer)} where account_id = ${accountId} and idempotency_key = ${key}`.execute(
        database(),
      );
      return answer;
    },
    { repeatable: true },
  );
}

async function answerOf<T>(accountId: number, key: string, hash: string): Promise<T> {
  const { rows } = await sql<{ requestHash: string; answer: T }>`
    select request_hash as "requestHash", answer from named_write where account_id = ${accountId} and idempotency_key = ${key}
  `.execute(database());
  const [before] = rows;
  refuseOther(before, hash);
  return before.answer;
}

const keptSeconds = 30 * 86_400;

/** Removes keys that were used a month ago or more. */
export async function pruneNamedWrites(now: Date): Promise<void> {
  await sql`delete from named_write where written_at < ${new Date(now.getTime() - keptSeconds * 1000)}`.execute(
    database(),
  );
}
