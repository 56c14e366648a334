import 'server-only';
import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import type { KeptSeal } from '../schema/entries';

const mostChanges = 20_000;

/** Ours (0048): seals the kept changes that no seal stands over, each seal over the one before. Safe to run twice or at once. */
export async function sealKeptChanges(): Promise<void> {
  while ((await sealNext()) === mostChanges);
}

async function sealNext(): Promise<number> {
  return transact(async () => {
    const { rows: due } = await sql`select from kept_change where seal is null limit 1`.execute(database());
    if (due.length === 0) return 0;
    // Of two at once the second waits here, and then seals what the first has left.
    await sql`select from kept_seal where number = 0 for update`.execute(database());
    const { rows: last } = await sql<{
      number: number;
      changes: string;
      digest: string;
    }>`select * from kept_seal order by number desc limit 1`.execute(database());
    const [before] = last;
    if (!before) throw new Error('The kept changes have no first seal; the migrations did not run to their end.');
    // Up to a number rather than joined to the list: few are unsealed when the database counts them, and it would compare each with each.
    const { rows } = await sql<{ count: string; digest: string }>`
      with sealed as (
        update kept_change set seal = ${before.number + 1}
        where seal is null and id <= (select max(id) from (select id from kept_change where seal is null order by id limit ${mostChanges}) due)
        returning id, relation, about, digest, salt)
      select count(*) as count, encode(sha256(convert_to(${before.digest} || E'\n' || string_agg(concat_ws('|', id, relation, about, digest, salt), E'\n' order by id), 'UTF8')), 'hex') as digest from sealed
    `.execute(database());
    const [sealed] = rows;
    if (!sealed || sealed.count === '0') return 0;
    await sql`insert into kept_seal (number, changes, digest) values (${before.number + 1}, ${before.changes}::bigint + ${sealed.count}::bigint, ${sealed.digest})`.execute(
      database(),
    );
    return Number(sealed.count);
  });
}

/** The newest seal over kept changes, null before the first. */
export async function findKeptSeal(): Promise<KeptSeal | null> {
  const { rows } = await sql<{
    changes: string;
    digest: string;
  }>`select changes, digest from kept_seal where number > 0 order by number desc limit 1`.execute(database());
  return rows[0] ? { changes: Number(rows[0].changes), digest: rows[0].digest } : null;
}
