import { genesisHash, type LedgerEntry, type LedgerHead } from '../schema/entries';
import { genesisHead, hashEntry, headAfter } from './entry';
import { PortfolioHeads, problemOfHead } from './heads';
import type { Mark, Witnessed } from './marks';
import { Preamble, type Known } from './preamble';
import { entryProblem, type Problem } from './problem';
import type { LedgerItem } from './records';
import { commitmentOpenedBy, TipHistory, type TipCounts } from './tip-history';
import { growTree, isIncluded, treeRoot, type Frontier } from './tree';

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
  /** Whether the newest checkpoint counts how far every portfolio had come. */
  counted: boolean;
  /** How many kept checkpoints the export was held against. */
  compared: number;
  /** The newest tree that enough trusted witnesses cosigned, null when none was asked for. */
  witnessed: Witnessed | null;
  /** The keys that signed those checkpoints. */
  keyIds: string[];
  /** Whether those keys are ones that the verifier trusts for a reason of its own, not because the export names them. */
  trusted: boolean;
  counts: TipCounts;
  firstProblem: Problem | null;
};

/** What a verifier knows beside the export, and who wants to hear of progress. */
export type VerifyOptions = Known & { onProgress?: (entries: number) => void };

const batchSize = 256;

/**
 * Product §6: checks an export of the ledger, or of one portfolio, from its records in order, and stops at the first
 * problem. Needs nothing but the records; memory grows with the number of tips, not with their content. The same in
 * Node and in browsers.
 */
export async function verifyLedger(
  items: AsyncIterable<LedgerItem>,
  options: VerifyOptions = {},
): Promise<LedgerReport> {
  const verifier = new Verifier(options);
  let problem: Problem | null = null;
  for await (const item of items) {
    problem = await verifier.take(item);
    if (problem) break;
  }
  return verifier.report(problem ?? (await verifier.finish()));
}

class Verifier {
  readonly #options: VerifyOptions;
  readonly #preamble = new Preamble();
  readonly #portfolioSequences = new Map<string, number>();
  readonly #tips = new TipHistory();
  readonly #heads = new PortfolioHeads();
  #begun = false;
  #passed = 0;
  #batch: LedgerEntry[] = [];
  #head = genesisHead;
  #lastKind: LedgerEntry['kind'] | null = null;
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
    const malformed = this.#begun
      ? 'keys, checkpoints and proofs stand before the entries; download the export again.'
      : this.#preamble.keep(record);
    return malformed === null
      ? null
      : ((await this.#checkBatch()) ?? { kind: 'malformed', sequence: null, sentence: `${place}: ${malformed}` });
  }

  async #takeEntry(entry: LedgerEntry, place: string): Promise<Problem | null> {
    const problem = await this.#begin(place);
    if (problem) return problem;
    this.#batch.push(entry);
    return this.#batch.length === batchSize || entry.sequence === this.#preamble.marks[this.#passed]?.size
      ? this.#checkBatch()
      : null;
  }

  async #begin(place: string): Promise<Problem | null> {
    if (this.#begun) return null;
    this.#begun = true;
    return this.#preamble.problem(place, this.#options);
  }

  async #checkBatch(): Promise<Problem | null> {
    const batch = this.#batch;
    this.#batch = [];
    // Web Crypto answers many questions at once far sooner than one after another.
    const answers = await Promise.all(
      batch.map((entry) =>
        Promise.all([hashEntry(entry), 'tip' in entry ? commitmentOpenedBy(entry) : null, this.#isProved(entry)]),
      ),
    );
    for (const [index, entry] of batch.entries()) {
      const [hash, opened, isProved] = answers[index] ?? ['', null, false];
      const problem =
        this.#problemOfPlace(entry, hash) ??
        ('tip' in entry
          ? (this.#tips.add(entry, opened) ?? this.#problemOfProof(entry, isProved))
          : await this.#problemOfCount(entry));
      if (problem) return problem;
      if (
        'tip' in entry &&
        (this.#preamble.portfolio === null || entry.sequence <= (this.#preamble.marks.at(-1)?.size ?? 0))
      )
        this.#heads.set(entry.portfolio, { entries: entry.portfolioSequence, hash });
      this.#head = headAfter(entry);
      this.#lastKind = entry.kind;
      this.#entries += 1;
    }
    if (this.#preamble.portfolio === null)
      this.#frontier = (
        await growTree(
          this.#frontier,
          batch.map(({ hash }) => hash),
        )
      ).frontier;
    this.#options.onProgress?.(this.#entries);
    return this.#passMarks();
  }

  /** The order of an export, the hash of an entry, its link and its time. */
  #problemOfPlace(entry: LedgerEntry, hash: string): Problem | null {
    const { sequence, at, previousHash } = entry;
    const fail = (kind: Problem['kind'], sentence: string) => entryProblem(kind, sequence, sentence);
    const head = this.#head;
    if (hash !== entry.hash)
      return fail(
        'hash',
        'does not have the hash of its content; the one or the other was changed after it was recorded.',
      );
    if (this.#preamble.portfolio === null && sequence !== head.sequence + 1)
      return fail(
        'sequence',
        `stands where entry ${head.sequence + 1} should: entries are missing, repeated or out of order.`,
      );
    if (sequence <= head.sequence)
      return fail('sequence', `stands after entry ${head.sequence}: entries are repeated or out of order.`);
    const portfolio = 'tip' in entry ? entry.portfolio : null;
    if (this.#preamble.portfolio !== null && portfolio !== this.#preamble.portfolio)
      return fail(
        'sequence',
        `belongs to ${portfolio === null ? 'all portfolios' : `the portfolio ${portfolio}`}, not to ${this.#preamble.portfolio}.`,
      );
    if (sequence === head.sequence + 1 && previousHash !== head.hash)
      return fail('link', `does not follow on entry ${head.sequence}: one of them was replaced.`);
    if (sequence === 1 && previousHash !== genesisHash) return fail('link', 'is the first and may follow on nothing.');
    if (at < head.at) return fail('time', `is dated ${at}, before entry ${head.sequence} (${head.at}).`);
    if (this.#preamble.portfolio !== null) this.#passEarlier(sequence);
    if (at < this.#earliest)
      return fail('time', `is dated ${at}, before the checkpoint signed at ${this.#earliest} without it.`);
    if (!('tip' in entry)) return null;
    const due = (this.#portfolioSequences.get(entry.portfolio) ?? 0) + 1;
    if (entry.portfolioSequence !== due)
      return fail(
        'portfolio-sequence',
        `is number ${entry.portfolioSequence} of the portfolio ${portfolio}, where number ${due} was due: entries of it are missing or repeated.`,
      );
    this.#portfolioSequences.set(entry.portfolio, due);
    return null;
  }

  async #problemOfCount({
    sequence,
    content,
  }: Extract<LedgerEntry, { kind: 'portfolios-counted' }>): Promise<Problem | null> {
    if (content.portfolios === this.#heads.size && content.root === (await this.#heads.root())) return null;
    return entryProblem(
      'head',
      sequence,
      `counts ${content.portfolios} portfolios in another state than the entries before it left them (${this.#heads.size} portfolios).`,
    );
  }

  /** In the export of a portfolio, checkpoints lie between its entries. */
  #passEarlier(sequence: number): void {
    for (
      let next = this.#preamble.marks[this.#passed];
      next && next.size < sequence;
      next = this.#preamble.marks[this.#passed]
    ) {
      this.#earliest = next.at ?? this.#earliest;
      this.#passed += 1;
    }
  }

  #markFor(entry: LedgerEntry): Mark | undefined {
    const proof = this.#preamble.proofs.get(entry.sequence);
    return proof && this.#preamble.marks.find(({ size }) => size === proof.size);
  }

  async #isProved(entry: LedgerEntry): Promise<boolean> {
    const [proof, mark] = [this.#preamble.proofs.get(entry.sequence), this.#markFor(entry)];
    return proof !== undefined && mark !== undefined && isIncluded(entry.hash, proof, mark.root);
  }

  #problemOfProof(entry: LedgerEntry, isProved: boolean): Problem | null {
    const { sequence, at } = entry;
    if (this.#preamble.portfolio === null || this.#passed === this.#preamble.marks.length) return null;
    const mark = this.#markFor(entry);
    if (!mark) return entryProblem('proof', sequence, 'comes without a proof that it is under the signed checkpoint.');
    if (!isProved)
      return entryProblem(
        'proof',
        sequence,
        `is not part of the ledger that the checkpoint at entry ${mark.size} signs.`,
      );
    if (mark.at !== null && at > mark.at)
      return entryProblem('time', sequence, `is dated ${at}, after the checkpoint that covers it (${mark.at}).`);
    this.#signedUpTo = sequence;
    return null;
  }

  async #passMarks(): Promise<Problem | null> {
    if (this.#preamble.portfolio !== null) return null;
    for (
      let next = this.#preamble.marks[this.#passed];
      next && next.size === this.#head.sequence;
      next = this.#preamble.marks[this.#passed]
    ) {
      const { size, hash, root, at, counted } = next;
      const fail = (sentence: string): Problem => ({
        kind: 'checkpoint',
        sequence: size,
        sentence: `The checkpoint at entry ${size} ${sentence}`,
      });
      if (hash !== null && hash !== this.#head.hash)
        return fail('signs another hash: the entries up to it are not those that were signed.');
      if (root !== (await treeRoot(this.#frontier)))
        return fail('signs another root: it does not stand for the entries up to it.');
      if (at !== null && at < this.#head.at) return fail(`is dated ${at}, before that entry (${this.#head.at}).`);
      if (counted && this.#lastKind !== 'portfolios-counted')
        return fail('says that the portfolios were counted, but its last entry does not count them.');
      this.#earliest = at ?? this.#earliest;
      this.#signedUpTo = size;
      this.#passed += 1;
    }
    return null;
  }

  async finish(): Promise<Problem | null> {
    const problem = (await this.#begin('The end')) ?? (await this.#checkBatch());
    if (problem) return problem;
    const { marks, portfolio } = this.#preamble;
    const latest = marks.at(-1);
    // Whatever the entries were not led past was compared with nothing.
    if (portfolio === null && latest && this.#passed < marks.length) {
      const sentence = `The export ends with entry ${this.#head.sequence}, but a signed checkpoint covers ${latest.size} entries: the end is missing.`;
      return { kind: 'truncated', sequence: this.#head.sequence, sentence };
    }
    const now = latest?.at && latest.at > this.#head.at ? latest.at : this.#head.at;
    return (await this.#problemOfHead()) ?? this.#tips.unopened(now);
  }

  /** The export of a portfolio holds as many entries as the newest checkpoint counts. */
  async #problemOfHead(): Promise<Problem | null> {
    const { portfolio, head, marks } = this.#preamble;
    return typeof portfolio !== 'string'
      ? null
      : problemOfHead({
          portfolio,
          claim: head,
          newest: marks.at(-1),
          covered: this.#heads.headOf(portfolio),
          entries: this.#entries,
        });
  }

  report(firstProblem: Problem | null): LedgerReport {
    const keyIds = [...new Set(this.#preamble.checkpoints.map(({ keyId }) => keyId))];
    const { trustedKeyIds, trustedNoteKeys } = this.#options;
    return {
      ok: firstProblem === null,
      portfolio: this.#preamble.portfolio ?? null,
      entries: this.#entries,
      head: this.#head,
      signedUpTo: this.#signedUpTo,
      checkpoints: this.#preamble.checkpoints.length,
      counted: this.#preamble.marks.at(-1)?.counted ?? false,
      compared: this.#preamble.compared,
      witnessed: this.#preamble.witnessed,
      keyIds,
      trusted: Boolean(trustedKeyIds ?? trustedNoteKeys) && keyIds.length > 0,
      counts: this.#tips.counts,
      firstProblem,
    };
  }
}
