import type { InclusionProof } from '../schema/checkpoints';
import type { PortfolioHead } from '../schema/records';
import { canonicalJson, hexOf, utf8 } from './canonical';
import { hashEntry } from './entry';
import type { Mark } from './marks';
import { entryProblem, type Problem, type ProblemKind } from './problem';
import { isIncluded, isUnder, leafHash, nodeHash } from './tree';

/** How far a portfolio has come: the number of its entries and the hash of the last of them. */
export type Head = { entries: number; hash: string };

/** Product §14 (0045): the leaf that stands for a portfolio in the tree over all of them. */
export function headLeaf(portfolio: string, { entries, hash }: Head): Promise<string> {
  return leafHash(hexOf(utf8(canonicalJson({ portfolio, entries, hash }))));
}

/** How the tree over the portfolios is hashed: leaves and nodes, in hexadecimal. */
export type HeadHashing = {
  leaf: (portfolio: string, head: Head) => Promise<string> | string;
  node: (left: string, right: string) => Promise<string> | string;
};

const webHashing: HeadHashing = { leaf: headLeaf, node: nodeHash };

/** How far every portfolio has come, with the Merkle tree (RFC 9162) over them in the order of their references; only what changed is hashed anew. */
export class PortfolioHeads {
  readonly #heads = new Map<string, Head>();
  #references: string[] = [];
  /** The nodes level by level; one without a neighbour stands for itself a level higher. */
  #levels: string[][] = [[]];
  readonly #changed = new Set<string>();
  #movedFrom = Infinity;
  readonly #hashing: HeadHashing;

  /** Hashes as browsers do unless told another way to the same hashes. */
  constructor(hashing: HeadHashing = webHashing) {
    this.#hashing = hashing;
  }

  /** The number of portfolios. */
  get size(): number {
    return this.#heads.size;
  }

  /** How far the portfolio has come, null for one without entries. */
  headOf(portfolio: string): Head | null {
    return this.#heads.get(portfolio) ?? null;
  }

  /** Notes how far a portfolio has come. */
  set(portfolio: string, head: Head): void {
    if (!this.#heads.has(portfolio)) {
      const position = this.#positionOf(portfolio);
      this.#references.splice(position, 0, portfolio);
      this.#levels[0]?.splice(position, 0, '');
      this.#movedFrom = Math.min(this.#movedFrom, position);
    }
    this.#heads.set(portfolio, head);
    this.#changed.add(portfolio);
  }

  /** The root of the tree over all portfolios; there must be one at least. */
  async root(): Promise<string> {
    await this.#update();
    return this.#levels.at(-1)?.[0] ?? '';
  }

  /** The way from a portfolio's leaf up to the root; its `sequence` is the portfolio's place in the order of the references, from 1. */
  async placeOf(portfolio: string): Promise<InclusionProof | null> {
    if (!this.#heads.has(portfolio)) return null;
    await this.#update();
    const position = this.#positionOf(portfolio);
    const path = this.#levels.flatMap((level, height) => level[Math.floor(position / 2 ** height) ^ 1] ?? []);
    return { sequence: position + 1, size: this.size, path };
  }

  /** Where the reference stands, or would stand, among the others. */
  #positionOf(portfolio: string): number {
    let [low, high] = [0, this.#references.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#references[middle] ?? '') < portfolio) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async #update(): Promise<void> {
    if (this.#changed.size === 0) return;
    const moved = this.#movedFrom;
    const changed = [...this.#changed].map(
      (portfolio) => [portfolio, this.#positionOf(portfolio), this.#heads.get(portfolio)] as const,
    );
    this.#changed.clear();
    this.#movedFrom = Infinity;
    const leaves = this.#levels[0] ?? [];
    await Promise.all(
      changed.map(
        async ([portfolio, position, head]) =>
          void (leaves[position] = head ? await this.#hashing.leaf(portfolio, head) : ''),
      ),
    );
    let dirty = new Set([
      ...changed.map(([, position]) => position),
      ...Array.from({ length: Math.max(0, leaves.length - moved) }, (_, offset) => moved + offset),
    ]);
    let height = 0;
    for (let level = leaves; level.length > 1; height += 1) {
      const above: string[] = (this.#levels[height + 1] ??= []);
      const below = level;
      dirty = new Set([...dirty].map((position) => position >>> 1));
      await Promise.all(
        [...dirty].map(async (position) => {
          const [left = '', right] = [below[2 * position], below[2 * position + 1]];
          above[position] = right === undefined ? left : await this.#hashing.node(left, right);
        }),
      );
      level = above;
    }
    this.#levels.length = height + 1;
  }
}

type Claimed = {
  portfolio: string;
  claim: PortfolioHead | null;
  newest: Mark | undefined;
  covered: Head | null;
  entries: number;
};

/**
 * What is wrong with the export of a portfolio beside what the newest checkpoint counts of it: `covered` is how far its entries go up to
 * there, `claim` what it says is counted, with the proof. A checkpoint from before portfolios were counted says nothing of it.
 */
export async function problemOfHead({ portfolio, claim, newest, covered, entries }: Claimed): Promise<Problem | null> {
  const fail = (kind: ProblemKind, sentence: string): Problem => ({ kind, sequence: null, sentence });
  if (entries === 0 && !(claim && newest?.counted))
    return fail(
      'empty',
      `The export holds no entry of ${portfolio} and so proves nothing. A portfolio has none before its first tip; if this one has published tips, download the export again.`,
    );
  if (!newest?.counted) return null;
  if (!claim)
    return (
      covered &&
      fail(
        'head',
        `The export does not say how far ${portfolio} had come when the checkpoint at entry ${newest.size} counted it; download it again.`,
      )
    );
  const { counted, proof, place, entries: number, hash } = claim;
  if (counted.hash !== (await hashEntry(counted)))
    return entryProblem(
      'hash',
      counted.sequence,
      'does not have the hash of its content; the one or the other was changed after it was recorded.',
    );
  if (
    counted.sequence !== newest.size ||
    proof.sequence !== newest.size ||
    proof.size !== newest.size ||
    !(await isIncluded(counted.hash, proof, newest.root))
  ) {
    return entryProblem(
      'proof',
      counted.sequence,
      `is not the last of those that the checkpoint at entry ${newest.size} signs.`,
    );
  }
  const leaf = await headLeaf(portfolio, { entries: number, hash });
  if (place.size !== counted.content.portfolios || !(await isUnder(leaf, place, counted.content.root))) {
    return entryProblem('head', counted.sequence, `does not count ${portfolio} as the export says.`);
  }
  const held = covered?.entries ?? 0;
  if (held < number)
    return fail(
      'truncated',
      `The export holds ${held} entries of ${portfolio} up to the checkpoint at entry ${newest.size}, which counts ${number}: its end is missing.`,
    );
  if (held !== number || covered?.hash !== hash)
    return entryProblem(
      'head',
      counted.sequence,
      `counts ${number} entries of ${portfolio} with another end than the export has.`,
    );
  return null;
}
