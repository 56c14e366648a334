import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import type { Frontier } from '../rules/tree';

/** The nodes that wait for their neighbour in the tree over the first `size` entries. */
export async function readFrontier(size: number): Promise<Frontier> {
  const levels = Array.from({ length: Math.ceil(Math.log2(size + 1)) }, (_, level) => level).filter(
    (level) => Math.floor(size / 2 ** level) % 2 === 1,
  );
  const { rows } = await sql<{ level: number; hash: string }>`
    select level, hash from ledger_node
    join unnest(${levels}::smallint[], ${levels.map((level) => Math.floor(size / 2 ** level) - 1)}::int[]) as wanted (level, index) using (level, index)
  `.execute(database());
  const hashes = new Map(rows.map(({ level, hash }) => [level, hash]));
  return Array.from({ length: (levels.at(-1) ?? -1) + 1 }, (_, level) => hashes.get(level) ?? null);
}
