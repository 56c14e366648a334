import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type Frontier, growTree, treeRoot } from '@/lib/record/rules';
import { isConsistent, isIncluded, proveConsistency, proveInclusion, treeSize } from '@/lib/record/rules/tree';

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** RFC 9162 §2.1.1, word for word, on node:crypto. */
function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0] ?? Buffer.alloc(0));
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(Buffer.of(1), rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

const leavesOf = (count: number) => Array.from({ length: count }, (_, index) => sha256(Buffer.from(`leaf ${index}`)));
const hexes = (leaves: readonly Buffer[]) => leaves.map((leaf) => leaf.toString('hex'));

async function grow(leaves: readonly string[], cuts: readonly number[] = []) {
  let frontier: Frontier = [];
  const nodes = new Map<string, string>();
  const bounds = [0, ...[...cuts].sort((a, b) => a - b), leaves.length];
  for (const [index, start] of bounds.slice(0, -1).entries()) {
    const grown = await growTree(frontier, leaves.slice(start, bounds[index + 1]));
    frontier = grown.frontier;
    for (const node of grown.nodes) nodes.set(`${node.level}/${node.index}`, node.hash);
  }
  return {
    frontier,
    nodes,
    read: async (level: number, index: number) => nodes.get(`${level}/${index}`) ?? `no node ${level}/${index}`,
  };
}

describe('the tree over the entries', () => {
  it('has the roots of the eight leaves that the implementations of Certificate Transparency share', async () => {
    const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
    const roots = [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ];
    for (const [index, root] of roots.entries())
      expect(await treeRoot((await grow(leaves.slice(0, index + 1))).frontier)).toBe(root);
    expect(await treeRoot([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('has the same root however its leaves were added, and it is that of RFC 9162', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 150 }),
        fc.array(fc.integer({ min: 0, max: 150 }), { maxLength: 6 }),
        async (count, cuts) => {
          const leaves = leavesOf(count);
          const { frontier } = await grow(
            hexes(leaves),
            cuts.filter((cut) => cut <= count),
          );
          expect(treeSize(frontier)).toBe(count);
          expect(await treeRoot(frontier)).toBe(rootOf(leaves).toString('hex'));
        },
      ),
      { seed: 9162, numRuns: 60 },
    );
  });

  it('proves every entry of every size up to 40, with no more hashes than its height', async () => {
    const leaves = hexes(leavesOf(40));
    const { read } = await grow(leaves);
    for (let size = 1; size <= 40; size += 1) {
      const root = rootOf(leavesOf(size)).toString('hex');
      for (let sequence = 1; sequence <= size; sequence += 1) {
        const proof = await proveInclusion(sequence, size, read);
        expect(proof.path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(size)));
        expect(await isIncluded(leaves[sequence - 1] ?? '', proof, root)).toBe(true);
      }
    }
  });

  it('accepts no proof for another entry, place, size, root or path', async () => {
    const leaves = hexes(leavesOf(60));
    const { read } = await grow(leaves);
    const within = fc.integer({ min: 1, max: 60 });
    await fc.assert(
      fc.asyncProperty(
        within,
        within,
        fc.constantFrom('entry', 'sequence', 'size', 'root', 'step', 'shorter', 'longer', 'swapped'),
        fc.nat(),
        async (a, b, change, pick) => {
          const [sequence, size] = [Math.min(a, b), Math.max(a, b)];
          const root = rootOf(leavesOf(size)).toString('hex');
          const proof = await proveInclusion(sequence, size, read);
          const hash = leaves[sequence - 1] ?? '';
          const at = pick % Math.max(1, proof.path.length);
          const other = 'f'.repeat(64);
          const changed = {
            entry: () => isIncluded(other, proof, root),
            sequence: () => isIncluded(hash, { ...proof, sequence: (sequence % (size + 1)) + 1 }, root),
            size: () => isIncluded(hash, { ...proof, size: size + 2 ** Math.ceil(Math.log2(size)) }, root),
            root: () => isIncluded(hash, proof, other),
            step: () =>
              isIncluded(hash, { ...proof, path: proof.path.length > 0 ? proof.path.with(at, other) : [other] }, root),
            shorter: () => isIncluded(size > 1 ? hash : other, { ...proof, path: proof.path.toSpliced(at, 1) }, root),
            longer: () => isIncluded(hash, { ...proof, path: proof.path.toSpliced(at, 0, other) }, root),
            swapped: () =>
              isIncluded(
                size > 2 && proof.path.length > 1 ? hash : other,
                { ...proof, path: proof.path.toReversed() },
                root,
              ),
          };
          expect(await changed[change]()).toBe(false);
        },
      ),
      { seed: 2131, numRuns: 400 },
    );
  });
});

describe('a proof of consistency', () => {
  const hex = (count: number) => rootOf(leavesOf(count)).toString('hex');

  it('is the one that the implementations of Certificate Transparency share', async () => {
    const { read } = await grow([
      '',
      '00',
      '10',
      '2021',
      '3031',
      '40414243',
      '5051525354555657',
      '606162636465666768696a6b6c6d6e6f',
    ]);
    expect((await proveConsistency(1, 1, read)).path).toEqual([]);
    expect((await proveConsistency(6, 8, read)).path).toEqual([
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
    expect((await proveConsistency(2, 5, read)).path).toEqual([
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ]);
  });

  it('leads from every size to every later one up to 64', async () => {
    const { read } = await grow(hexes(leavesOf(64)));
    const roots = Array.from({ length: 65 }, (_, size) => hex(size));
    for (let to = 1; to <= 64; to += 1) {
      for (let from = 0; from <= to; from += 1) {
        const proof = await proveConsistency(from, to, read);
        expect(proof.path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(to)) + 1);
        expect(await isConsistent(proof, roots[from] ?? '', roots[to] ?? '')).toBe(true);
      }
    }
  });

  it('leads from random sizes to random later ones up to 5,000', async () => {
    const leaves = leavesOf(5000);
    const { read } = await grow(hexes(leaves));
    const size = fc.integer({ min: 1, max: 5000 });
    await fc.assert(
      fc.asyncProperty(size, size, async (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        expect(
          await isConsistent(
            await proveConsistency(from, to, read),
            rootOf(leaves.slice(0, from)).toString('hex'),
            rootOf(leaves.slice(0, to)).toString('hex'),
          ),
        ).toBe(true);
      }),
      { seed: 214, numRuns: 40 },
    );
  });

  it('is accepted for no other sizes, roots or path', async () => {
    const { read } = await grow(hexes(leavesOf(60)));
    const [roots, other] = [Array.from({ length: 61 }, (_, size) => hex(size)), 'f'.repeat(64)];
    const within = fc.integer({ min: 1, max: 60 });
    await fc.assert(
      fc.asyncProperty(
        within,
        within,
        fc.constantFrom('old', 'new', 'from', 'to', 'step', 'shorter', 'longer', 'swapped', 'backwards'),
        fc.nat(),
        async (a, b, change, pick) => {
          const [from, to] = [Math.min(a, b), Math.max(a, b)];
          const [oldRoot = '', newRoot = ''] = [roots[from], roots[to]];
          const proof = await proveConsistency(from, to, read);
          const at = pick % Math.max(1, proof.path.length);
          const changed = {
            old: () => isConsistent(proof, other, newRoot),
            new: () => isConsistent(proof, oldRoot, other),
            from: () => isConsistent({ ...proof, from: (from % 60) + 1 }, oldRoot, newRoot),
            // The path alone does not always tell a size; the roots are what is signed with it.
            to: () => isConsistent({ ...proof, to: to + 2 ** Math.ceil(Math.log2(to) + 1) }, oldRoot, newRoot),
            step: () =>
              isConsistent(
                { ...proof, path: proof.path.length > 0 ? proof.path.with(at, other) : [other] },
                oldRoot,
                newRoot,
              ),
            shorter: () =>
              isConsistent(
                { ...proof, path: proof.path.toSpliced(at, 1) },
                oldRoot,
                proof.path.length > 0 ? newRoot : other,
              ),
            longer: () => isConsistent({ ...proof, path: proof.path.toSpliced(at, 0, other) }, oldRoot, newRoot),
            swapped: () =>
              isConsistent(
                { ...proof, path: proof.path.toReversed() },
                oldRoot,
                proof.path.length > 1 ? newRoot : other,
              ),
            backwards: () => isConsistent({ from: to + 1, to: from, path: proof.path }, newRoot, oldRoot),
          };
          expect(await changed[change]()).toBe(false);
        },
      ),
      { seed: 2142, numRuns: 500 },
    );
  });
});
