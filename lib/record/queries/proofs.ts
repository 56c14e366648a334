import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { nodesUnder, proveConsistency, proveInclusions, type ReadNode, spansBeside } from '../rules/tree';
import type { ConsistencyProof, InclusionProof } from '../schema/checkpoints';
import { genesisHash } from '../schema/entries';

// One number for a place: levels are fewer than 64, and indexes below 2^40.
const levelStep = 2 ** 40;
const keyOf = (level: number, index: number) => level * levelStep + index;

/** Proofs that these entries are among the first `size`, in their order; every node that they need is read at once. */
export function readProofs(sequences: readonly number[], size: number): Promise<InclusionProof[]> {
  const wanted = new Set<number>();
  for (const sequence of sequences)
    for (const span of spansBeside(sequence, size))
      for (const { level, index } of nodesUnder(span)) wanted.add(keyOf(level, index));
  return withPlaces(wanted, (nodeAt) => proveInclusions(sequences, size, nodeAt));
}

/** The proof that the tree over the first `to` entries, which must be there, begins with the one over the first `from`. */
export function readConsistency(from: number, to: number): Promise<ConsistencyProof> {
  return withNodes((read) => proveConsistency(from, to, read));
}

async function withNodes<T>(prove: (read: ReadNode) => Promise<T>): Promise<T> {
  const wanted = new Set<number>();
  // A first walk with any hash in the place of each node finds which nodes the proofs are made of.
  await prove(async (level, index) => {
    wanted.add(keyOf(level, index));
    return genesisHash;
  });
  return withPlaces(wanted, (nodeAt) => prove(async (level, index) => nodeAt(level, index)));
}

async function withPlaces<T>(
  wanted: ReadonlySet<number>,
  prove: (nodeAt: (level: number, index: number) => string) => Promise<T>,
): Promise<T> {
  const hashes = await readNodes([...wanted]);
  return prove((level, index) => {
    const hash = hashes.get(keyOf(level, index));
    if (hash === undefined)
      throw new Error(
        `The tree of the ledger lacks node ${index} of level ${level}; the table ledger_node was changed.`,
      );
    return hash;
  });
}

const hashLength = genesisHash.length;
const noHash = ' '.repeat(hashLength);

// Thousands of nodes come as one text in the order in which they are asked for: as rows they would cost more than the proofs.
async function readNodes(keys: readonly number[]): Promise<Map<number, string>> {
  const arrayOf = (part: (key: number) => number) => `{${keys.map(part).join(',')}}`;
  const { rows } = await sql<{ hashes: string | null }>`
    select string_agg(coalesce(hash, ${noHash}), '' order by place) as hashes
    from unnest(${arrayOf((key) => Math.floor(key / levelStep))}::smallint[], ${arrayOf((key) => key % levelStep)}::int[])
      with ordinality as wanted (level, index, place)
    left join ledger_node using (level, index)
  `.execute(database());
  const all = rows[0]?.hashes ?? '';
  return new Map(
    keys.flatMap((key, place) => {
      const hash = all.slice(place * hashLength, (place + 1) * hashLength);
      return hash === noHash ? [] : [[key, hash] as const];
    }),
  );
}
