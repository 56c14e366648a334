import { genesisHash, type Checkpoint, type InclusionProof, type LedgerEntry, type LedgerHead, type LedgerKey } from '../schema';
import { problemOfCheckpoint } from './checkpoint';
import { genesisHead, hashEntry, headAfter } from './entry';
import { entryProblem, type Problem } from './problem';
import type { LedgerItem } from './records';
import { problemOfKeys, trustedThrough } from './rotation';
import { commitmentOpenedBy, TipHistory, type TipCounts } from './tip-history';
import { growTree, isIncluded, treeRoot, type Frontier } from './tree';

/** What a verifier knows beside the export: keys it trusts, checkpoints it kept from before, and who wants to hear of progress. */
export type VerifyOptions = {
  trustedKeyIds?: readonly string[] | null;
  keptCheckpoints?: readonly Checkpoint[];
  onProgress?: (entries: number) => void;
};

/** What verification found. `ok` is false with the first problem; the rest describes the entries before it. */
export type LedgerReport = {
  ok: boolean;
  /** The portfolio that the export is limited to, null for the whole ledger. */
  portfolio: string | null;
  entries: number;
  head: LedgerHead;
  /** The last entry that a checkpoint vouches for, 0 for none; what stands after it could still be rewritten. */
  signedUpTo: number;
  checkpoints: number;
  /** The keys that signed those checkpoints. */
  keyIds: string[];
  /** Whether those keys are ones that the verifier trusts for a reason of its own, not because the export names them. */
  trusted: boolean;
  counts: TipCounts;
  firstProblem: Problem | null;
};

const batchSize = 256;

/**
 * Product §6: checks an export of the ledger, or of one portfolio, from its records in order, and stops at the first
 * problem. Needs nothing but the records; memory grows with the number of tips, not with their content. The same in
 * Node and in browsers.
 */
export async function verifyLedger(items: AsyncIterable<LedgerItem>, options: VerifyOptions = {}): Promise<LedgerReport> {
  const verifier = new Verifier(options);
  let problem: Problem | null = null;
  for await (const item of items) {
    problem = await verifier.take(item);
    if (problem) break;
  }
  return verifier.report(problem ?? (await verifier.finish()));
}

const inOrder = (checkpoints: readonly Checkpoint[]) => checkpoints.toSorted((a, b) => a.sequence - b.sequence || (a.at < b.at ? -1 : Number(a.at > b.at)));

/** What is wrong with signed checkpoints, by sequence and time, as they stand beside each other. */
function problemOfOrder(checkpoints: readonly Checkpoint[]): Problem | null {
  for (const [index, { sequence, hash, root, at }] of checkpoints.entries()) {
    const fail = (sentence: string): Problem => ({ kind: 'checkpoint', sequence: null, sentence });
    const before = checkpoints[index - 1];
    if (before?.sequence === sequence && (before.hash !== hash || before.root !== root)) {
      return fail(`Two signed checkpoints at entry ${sequence} contradict each other: whoever signed them keeps two ledgers.`);
    }
    if (before && at < before.at) return fail(`The checkpoint at entry ${sequence} is dated ${at}, before the one at entry ${before.sequence} (${before.at}).`);
  }
  return null;
}

class Verifier {
  readonly #options: VerifyOptions;
  readonly #keys = new Map<string, LedgerKey>();
  readonly #proofs = new Map<number, InclusionProof>();
  readonly #portfolioSequences = new Map<string, number>();
  readonly #tips = new TipHistory();
  #portfolio: string | null | undefined;
  #begun = false;
  #checkpoints: Checkpoint[] = [];
  #passed = 0;
  #batch: LedgerEntry[] = [];
  #head = genesisHead;
  #entries = 0;
  #earliest = genesisHead.at;
  #frontier: Frontier = [];
  #signedUpTo = 0;

  constructor(options: VerifyOptions) {
    this.#options = options;
  }

  async take(item: LedgerItem): Promise<Problem | null> {
    if ('problem' in item) return (await this.#checkBatch()) ?? item.problem;
    const { record, place } = item;
    if ('entry' in record) return this.#takeEntry(record.entry, place);
    const fail = (sentence: string): Problem => ({ kind: 'malformed', sequence: null, sentence: `${place}: ${sentence}` });
    if (this.#begun) return (await this.#checkBatch()) ?? fail('keys, checkpoints and proofs stand before the entries; download the export again.');
    if ('format' in record) {
      if (this.#portfolio !== undefined) return fail('the export begins a second time; download it again.');
      this.#portfolio = record.portfolio;
    } else if ('key' in record) {
      if (this.#keys.has(record.key.kid)) return fail(`the key ${record.key.kid} stands there twice.`);
      this.#keys.set(record.key.kid, record.key);
    } else if ('checkpoint' in record) {
      this.#checkpoints.push(record.checkpoint);
    } else {
      if (this.#proofs.has(record.proof.sequence)) return fail(`the proof of entry ${record.proof.sequence} stands there twice.`);
      this.#proofs.set(record.proof.sequence, record.proof);
    }
    return null;
  }

  async #takeEntry(entry: LedgerEntry, place: string): Promise<Problem | null> {
    const problem = await this.#begin(place);
    if (problem) return problem;
    this.#batch.push(entry);
    return this.#batch.length === batchSize || entry.sequence === this.#checkpoints[this.#passed]?.sequence ? this.#checkBatch() : null;
  }

  async #begin(place: string): Promise<Problem | null> {
    if (this.#begun) return null;
    this.#begun = true;
    if (this.#portfolio === undefined) return { kind: 'malformed', sequence: null, sentence: `${place}: the export has no header that says what it is; download it again.` };
    const wrong = await problemOfKeys(this.#keys);
    if (wrong) return wrong;
    const trusted = trustedThrough(this.#keys, this.#options.trustedKeyIds ?? null);
    const all = inOrder([...this.#checkpoints, ...(this.#options.keptCheckpoints ?? [])]);
    for (const checkpoint of all) {
      const problem = await problemOfCheckpoint(checkpoint, this.#keys, trusted);
      if (problem) return problem;
    }
    // Proofs lead to the export's own checkpoints; only the whole ledger can be held against one of another size.
    this.#checkpoints = this.#portfolio === null ? all : inOrder(this.#checkpoints);
    return problemOfOrder(all);
  }

  async #checkBatch(): Promise<Problem | null> {
    const batch = this.#batch;
    this.#batch = [];
    // Web Crypto answers many questions at once far sooner than one after another.
    const answers = await Promise.all(batch.map((entry) => Promise.all([hashEntry(entry), commitmentOpenedBy(entry), this.#isProved(entry)])));
    for (const [index, entry] of batch.entries()) {
      const [hash, opened, isProved] = answers[index] ?? ['', null, false];
      const problem = this.#problemOfPlace(entry, hash) ?? this.#tips.add(entry, opened) ?? this.#problemOfProof(entry, isProved);
      if (problem) return problem;
      this.#head = headAfter(entry);
      this.#entries += 1;
    }
    if (this.#portfolio === null) this.#frontier = (await growTree(this.#frontier, batch.map(({ hash }) => hash))).frontier;
    this.#options.onProgress?.(this.#entries);
    return this.#passCheckpoints();
  }

  /** The order of an export, the hash of an entry, its link and its time. */
  #problemOfPlace(entry: LedgerEntry, hash: string): Problem | null {
    const { sequence, portfolio, portfolioSequence, at, previousHash } = entry;
    const fail = (kind: Problem['kind'], sentence: string) => entryProblem(kind, sequence, sentence);
    const head = this.#head;
    if (hash !== entry.hash) return fail('hash', 'does not have the hash of its content; the one or the other was changed after it was recorded.');
    if (this.#portfolio === null && sequence !== head.sequence + 1) return fail('sequence', `stands where entry ${head.sequence + 1} should: entries are missing, repeated or out of order.`);
    if (sequence <= head.sequence) return fail('sequence', `stands after entry ${head.sequence}: entries are repeated or out of order.`);
    if (this.#portfolio !== null && portfolio !== this.#portfolio) return fail('sequence', `belongs to the portfolio ${portfolio}, not to ${this.#portfolio}.`);
    if (sequence === head.sequence + 1 && previousHash !== head.hash) return fail('link', `does not follow on entry ${head.sequence}: one of them was replaced.`);
    if (sequence === 1 && previousHash !== genesisHash) return fail('link', 'is the first and may follow on nothing.');
    if (at < head.at) return fail('time', `is dated ${at}, before entry ${head.sequence} (${head.at}).`);
    if (this.#portfolio !== null) this.#passEarlier(sequence);
    if (at < this.#earliest) return fail('time', `is dated ${at}, before the checkpoint signed at ${this.#earliest} without it.`);
    const due = (this.#portfolioSequences.get(portfolio) ?? 0) + 1;
    if (portfolioSequence !== due) return fail('portfolio-sequence', `is number ${portfolioSequence} of the portfolio ${portfolio}, where number ${due} was due: entries of it are missing or repeated.`);
    this.#portfolioSequences.set(portfolio, due);
    return null;
  }

  /** In the export of a portfolio, checkpoints lie between its entries. */
  #passEarlier(sequence: number): void {
    for (let next = this.#checkpoints[this.#passed]; next && next.sequence < sequence; next = this.#checkpoints[this.#passed]) {
      this.#earliest = next.at;
      this.#passed += 1;
    }
  }

  #checkpointOf(entry: LedgerEntry): Checkpoint | undefined {
    const proof = this.#proofs.get(entry.sequence);
    return proof && this.#checkpoints.find(({ sequence }) => sequence === proof.size);
  }

  async #isProved(entry: LedgerEntry): Promise<boolean> {
    const [proof, checkpoint] = [this.#proofs.get(entry.sequence), this.#checkpointOf(entry)];
    return proof !== undefined && checkpoint !== undefined && isIncluded(entry.hash, proof, checkpoint.root);
  }

  #problemOfProof(entry: LedgerEntry, isProved: boolean): Problem | null {
    const { sequence, at } = entry;
    if (this.#portfolio === null || this.#passed === this.#checkpoints.length) return null;
    const checkpoint = this.#checkpointOf(entry);
    if (!checkpoint) return entryProblem('proof', sequence, 'comes without a proof that it is under the signed checkpoint.');
    if (!isProved) return entryProblem('proof', sequence, `is not part of the ledger that the checkpoint at entry ${checkpoint.sequence} signs.`);
    if (at > checkpoint.at) return entryProblem('time', sequence, `is dated ${at}, after the checkpoint that covers it (${checkpoint.at}).`);
    this.#signedUpTo = sequence;
    return null;
  }

  async #passCheckpoints(): Promise<Problem | null> {
    if (this.#portfolio !== null) return null;
    for (let next = this.#checkpoints[this.#passed]; next && next.sequence === this.#head.sequence; next = this.#checkpoints[this.#passed]) {
      const fail = (sentence: string): Problem => ({ kind: 'checkpoint', sequence: next?.sequence ?? null, sentence: `The checkpoint at entry ${next?.sequence} ${sentence}` });
      if (next.hash !== this.#head.hash) return fail('signs another hash: the entries up to it are not those that were signed.');
      if (next.root !== (await treeRoot(this.#frontier))) return fail('signs another root: it does not stand for the entries up to it.');
      if (next.at < this.#head.at) return fail(`is dated ${next.at}, before that entry (${this.#head.at}).`);
      this.#earliest = next.at;
      this.#signedUpTo = next.sequence;
      this.#passed += 1;
    }
    return null;
  }

  async finish(): Promise<Problem | null> {
    const problem = (await this.#begin('The end')) ?? (await this.#checkBatch());
    if (problem) return problem;
    const latest = this.#checkpoints.at(-1);
    if (this.#portfolio === null && latest && latest.sequence > this.#head.sequence) {
      const sentence = `The export ends with entry ${this.#head.sequence}, but a signed checkpoint covers ${latest.sequence} entries: the end is missing.`;
      return { kind: 'truncated', sequence: this.#head.sequence, sentence };
    }
    const now = latest && latest.at > this.#head.at ? latest.at : this.#head.at;
    return this.#tips.unopened(now);
  }

  report(firstProblem: Problem | null): LedgerReport {
    const keyIds = [...new Set(this.#checkpoints.map(({ keyId }) => keyId))];
    return {
      ok: firstProblem === null,
      portfolio: this.#portfolio ?? null,
      entries: this.#entries,
      head: this.#head,
      signedUpTo: this.#signedUpTo,
      checkpoints: this.#checkpoints.length,
      keyIds,
      trusted: Boolean(this.#options.trustedKeyIds) && keyIds.length > 0,
      counts: this.#tips.counts,
      firstProblem,
    };
  }
}
