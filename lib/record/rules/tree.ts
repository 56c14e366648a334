import type { InclusionProof } from '../schema';
import { bytesOfHex, hexOf, sha256 } from './canonical';

/** A node over the 2^level entries from index · 2^level + 1 on; such a node never changes again. */
export type TreeNode = { level: number; index: number; hash: string };

/** The nodes that wait for their right-hand neighbour, by level, null where none does: all that a growing tree has to remember. */
export type Frontier = readonly (string | null)[];

const hashOf = async (prefix: number, ...parts: string[]) => hexOf(await sha256(bytesOfHex([prefix.toString(16).padStart(2, '0'), ...parts].join(''))));

const leafHash = (entryHash: string) => hashOf(0, entryHash);
const nodeHash = (left: string, right: string) => hashOf(1, left, right);

/** The number of entries under a frontier. */
export function treeSize(frontier: Frontier): number {
  return frontier.reduce((size, node, level) => size + (node === null ? 0 : 2 ** level), 0);
}

/** RFC 9162 §2.1: the tree after these entry hashes, and the nodes that became complete with them. */
export async function growTree(frontier: Frontier, entryHashes: readonly string[]): Promise<{ frontier: Frontier; nodes: TreeNode[] }> {
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
    row = await Promise.all(Array.from({ length: Math.floor(open.length / 2) }, (_, pair) => nodeHash(open[2 * pair] ?? '', open[2 * pair + 1] ?? '')));
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

/** RFC 9162 §2.1.3.1: the proof that entry `sequence` is among the first `size`; `read` gives the complete nodes of the tree. */
export async function proveInclusion(sequence: number, size: number, read: (level: number, index: number) => Promise<string>): Promise<InclusionProof> {
  const rootOf = async (from: number, count: number): Promise<string> => {
    const level = Math.log2(count);
    if (Number.isInteger(level)) return read(level, from / count);
    const split = splitOf(count);
    return nodeHash(await rootOf(from, split), await rootOf(from + split, count - split));
  };
  const pathOf = async (index: number, from: number, count: number): Promise<string[]> => {
    if (count === 1) return [];
    const split = splitOf(count);
    return index < split
      ? [...(await pathOf(index, from, split)), await rootOf(from + split, count - split)]
      : [...(await pathOf(index - split, from + split, count - split)), await rootOf(from, split)];
  };
  return { sequence, size, path: await pathOf(sequence - 1, 0, size) };
}

/** RFC 9162 §2.1.3.2: whether the proof leads from this entry hash to this root. */
export async function isIncluded(entryHash: string, { sequence, size, path }: InclusionProof, root: string): Promise<boolean> {
  const climb = async (index: number, count: number, steps: readonly string[]): Promise<string | null> => {
    if (count === 1) return steps.length === 0 ? leafHash(entryHash) : null;
    const beside = steps.at(-1);
    if (beside === undefined) return null;
    const split = splitOf(count);
    const inner = index < split ? await climb(index, split, steps.slice(0, -1)) : await climb(index - split, count - split, steps.slice(0, -1));
    return inner && (index < split ? nodeHash(inner, beside) : nodeHash(beside, inner));
  };
  return sequence <= size && (await climb(sequence - 1, size, path)) === root;
}
