import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { nodesUnder, proveConsistency, proveInclusions, type ReadNode, spansBeside } from '../rules/tree';
import { type ConsistencyProof, genesisHash, type InclusionProof } from '../schema';

type Place = { level: number; index: number };

const keyOf = (level: number, index: number) => `${level}/${index}`;

/** Proofs that these entries are among the first `size`, in their order; every node that they need is read at once. */
export function readProofs(sequences: readonly number[], size: number): Promise<InclusionProof[]> {
  return withPlaces(
    sequences.flatMap((sequence) => spansBeside(sequence, size).flatMap(nodesUnder)),
    (nodeAt) => proveInclusions(sequences, size, nodeAt),
  );
}

/** The proof that the tree over the first `to` entries, which must be there, begins with the one over the first `from`. */
export function readConsistency(from: number, to: number): Promise<ConsistencyProof> {
  return withNodes((read) => proveConsistency(from, to, read));
}

async function withNodes<T>(prove: (read: ReadNode) => Promise<T>): Promise<T> {
  const wanted = new Map<string, Place>();
  // A first walk with any hash in the place of each node finds which nodes the proofs are made of.
  await prove(async (level, index) => {
    wanted.set(keyOf(level, index), { level, index });
    return genesisHash;
  });
  return withPlaces([...wanted.values()], (nodeAt) => prove(async (level, index) => nodeAt(level, index)));
}

async function withPlaces<T>(
  places: readonly Place[],
  prove: (nodeAt: (level: number, index: number) => string) => Promise<T>,
): Promise<T> {
  const wanted = new Map(places.map((place) => [keyOf(place.level, place.index), place]));
  const hashes = await readNodes([...wanted.values()]);
  return prove((level, index) => {
    const hash = hashes.get(keyOf(level, index));
    if (hash === undefined)
      throw new Error(
        `The tree of the ledger lacks node ${index} of level ${level}; the table ledger_node was changed.`,
      );
    return hash;
  });
}

async function readNodes(places: readonly Place[]): Promise<Map<string, string>> {
  const { rows } = await sql<Place & { hash: string }>`
    select level, index, hash from ledger_node
    join unnest(${places.map(({ level }) => level)}::smallint[], ${places.map(({ index }) => index)}::int[]) as wanted (level, index) using (level, index)
  `.execute(database());
  return new Map(rows.map(({ level, index, hash }) => [keyOf(level, index), hash]));
}
