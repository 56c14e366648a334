import type { ConsistencyProof, InclusionProof } from '../schema/checkpoints';
import { bytesOfHex, hashBytes, hexOf, sha256 } from './canonical';

/** A node over the 2^level entries from index · 2^level + 1 on; such a node never changes again. */
export type TreeNode = { level: number; index: number; hash: string };

/** The nodes that wait for their right-hand neighbour, by level, null where none does: all that a growing tree has to remember. */
export type Frontier = readonly (string | null)[];

const hashOf = (prefix: '00' | '01', ...parts: string[]) => hashBytes(bytesOfHex(prefix + parts.join('')));

/** RFC 9162 §2.1.1: the hash of a leaf whose data are these bytes, in hexadecimal. */
export const leafHash = (data: string) => hashOf('00', data);

/** RFC 9162 §2.1.1: the hash of the node over these two. */
export const nodeHash = (left: string, right: string) => hashOf('01', left, right);

/** The number of entries under a frontier. */
export function treeSize(frontier: Frontier): number {
  return frontier.reduce((size, node, level) => size + (node === null ? 0 : 2 ** level), 0);
}

/** RFC 9162 §2.1: the tree after these entry hashes, and the nodes that became complete with them. */
export async function growTree(
  frontier: Frontier,
  entryHashes: readonly string[],
): Promise<{ frontier: Frontier; nodes: TreeNode[] }> {
  const size = treeSize(frontier);
  const grown = [...frontier];
  const nodes: TreeNode[] = [];
  let row = await Promise.all(entryHashes.map(leafHash));
  for (let level = 0; row.length > 0; level += 1) {
    const first = Math.floor(size / 2 ** level);
    nodes.push(...row.map((hash, offset) => ({ level, index: first + offset, hash })));
    const waiting = grown[level] ?? null;
    const open = waiting === null ? row : [waiting, ...row];
    grown[level] = open.length % 2 === 1 ? (open.at(-1) ?? null) : null;
    row = await Promise.all(
      Array.from({ length: Math.floor(open.length / 2) }, (_, pair) =>
        nodeHash(open[2 * pair] ?? '', open[2 * pair + 1] ?? ''),
      ),
    );
  }
  return { frontier: grown, nodes };
}

/** RFC 9162 §2.1.1: the root of a tree with at least one entry. */
export async function treeRoot(frontier: Frontier): Promise<string> {
  let root: string | null = null;
  for (const node of frontier) if (node !== null) root = root === null ? node : await nodeHash(node, root);
  return root ?? hexOf(await sha256(new Uint8Array()));
}

const splitOf = (size: number): number => 2 ** Math.ceil(Math.log2(size) - 1);

/** Reads a complete node of the tree by its level and its index in it. */
export type ReadNode = (level: number, index: number) => Promise<string>;

/** The root over `count` entries from the one after `from` on, out of complete nodes. */
async function rootOver(from: number, count: number, read: ReadNode): Promise<string> {
  const level = Math.log2(count);
  if (Number.isInteger(level)) return read(level, from / count);
  const split = splitOf(count);
  return nodeHash(await rootOver(from, split, read), await rootOver(from + split, count - split, read));
}

/** The entries `count` from the one after `from` on, under one root. */
export type Span = { from: number; count: number };

/** RFC 9162 §2.1.3.1: what stands beside the way from entry `sequence` up to the root over the first `size`, lowest first. */
export function spansBeside(sequence: number, size: number): Span[] {
  const spans: Span[] = [];
  let [index, from, count] = [sequence - 1, 0, size];
  while (count > 1) {
    const split = splitOf(count);
    if (index < split) {
      spans.push({ from: from + split, count: count - split });
      count = split;
    } else {
      spans.push({ from, count: split });
      [index, from, count] = [index - split, from + split, count - split];
    }
  }
  return spans.reverse();
}

/** The complete nodes that the root over a span is made of. */
export function nodesUnder({ from, count }: Span): Pick<TreeNode, 'level' | 'index'>[] {
  const level = Math.log2(count);
  if (Number.isInteger(level)) return [{ level, index: from / count }];
  const split = splitOf(count);
  return [...nodesUnder({ from, count: split }), ...nodesUnder({ from: from + split, count: count - split })];
}

/** RFC 9162 §2.1.3.1: the proofs that these entries are among the first `size`, in their order, out of complete nodes that are there; a root that several need is made once. */
export async function proveInclusions(
  sequences: readonly number[],
  size: number,
  nodeAt: (level: number, index: number) => string,
): Promise<InclusionProof[]> {
  const made = new Map<number, string>();
  const spans = sequences.map((sequence) => spansBeside(sequence, size));
  // Only what reaches the end of the tree is no complete node, and there is one such root from each place.
  for (const { from, count } of spans.flat()) {
    if (!Number.isInteger(Math.log2(count)) && !made.has(from))
      made.set(from, await rootOver(from, count, async (level, index) => nodeAt(level, index)));
  }
  const hashOf = ({ from, count }: Span) => {
    const level = Math.log2(count);
    return Number.isInteger(level) ? nodeAt(level, from / count) : (made.get(from) ?? '');
  };
  return sequences.map((sequence, place) => ({ sequence, size, path: (spans[place] ?? []).map(hashOf) }));
}

/** RFC 9162 §2.1.3.1: the proof that entry `sequence` is among the first `size`. */
export async function proveInclusion(sequence: number, size: number, read: ReadNode): Promise<InclusionProof> {
  return {
    sequence,
    size,
    path: await Promise.all(spansBeside(sequence, size).map(({ from, count }) => rootOver(from, count, read))),
  };
}

/** RFC 9162 §2.1.4.1: the proof that the tree over the first `to` entries begins with the one over the first `from`, at most `to`. */
export async function proveConsistency(from: number, to: number, read: ReadNode): Promise<ConsistencyProof> {
  const pathOf = async (old: number, start: number, count: number, isWhole: boolean): Promise<string[]> => {
    if (old === count) return isWhole ? [] : [await rootOver(start, count, read)];
    const split = splitOf(count);
    return old <= split
      ? [...(await pathOf(old, start, split, isWhole)), await rootOver(start + split, count - split, read)]
      : [...(await pathOf(old - split, start + split, count - split, false)), await rootOver(start, split, read)];
  };
  return { from, to, path: from === 0 ? [] : await pathOf(from, 0, to, true) };
}

/** RFC 9162 §2.1.4.2: whether the proof shows that the tree with the root `newRoot` begins with the one with the root `oldRoot`. */
export async function isConsistent(
  { from, to, path }: ConsistencyProof,
  oldRoot: string,
  newRoot: string,
): Promise<boolean> {
  if (from > to) return false;
  if (from === 0) return path.length === 0;
  const climb = async (
    old: number,
    count: number,
    isWhole: boolean,
    steps: readonly string[],
  ): Promise<[string, string] | null> => {
    if (old === count) {
      const [root] = isWhole ? [oldRoot] : steps;
      return root !== undefined && steps.length === (isWhole ? 0 : 1) ? [root, root] : null;
    }
    const beside = steps.at(-1);
    if (beside === undefined) return null;
    const split = splitOf(count);
    const rest = steps.slice(0, -1);
    const inner =
      old <= split ? await climb(old, split, isWhole, rest) : await climb(old - split, count - split, false, rest);
    if (!inner) return null;
    return old <= split
      ? [inner[0], await nodeHash(inner[1], beside)]
      : [await nodeHash(beside, inner[0]), await nodeHash(beside, inner[1])];
  };
  const roots = await climb(from, to, true, path);
  return roots !== null && roots[0] === oldRoot && roots[1] === newRoot;
}

/** RFC 9162 §2.1.3.2: whether the proof leads from this entry hash to this root. */
export async function isIncluded(entryHash: string, proof: InclusionProof, root: string): Promise<boolean> {
  return isUnder(await leafHash(entryHash), proof, root);
}

/** RFC 9162 §2.1.3.2: whether the proof leads from the hash of a leaf to this root. */
export async function isUnder(leaf: string, { sequence, size, path }: InclusionProof, root: string): Promise<boolean> {
  const climb = async (index: number, count: number, steps: readonly string[]): Promise<string | null> => {
    if (count === 1) return steps.length === 0 ? leaf : null;
    const beside = steps.at(-1);
    if (beside === undefined) return null;
    const split = splitOf(count);
    const inner =
      index < split
        ? await climb(index, split, steps.slice(0, -1))
        : await climb(index - split, count - split, steps.slice(0, -1));
    return inner && (index < split ? nodeHash(inner, beside) : nodeHash(beside, inner));
  };
  return sequence <= size && (await climb(sequence - 1, size, path)) === root;
}
