import type { Checkpoint, ConsistencyProof, InclusionProof, LedgerKey } from '../schema/checkpoints';
import type { LedgerEntry } from '../schema/entries';
import type { LedgerRecord, PortfolioHead } from '../schema/records';
import { problemOfCheckpoint } from './checkpoint';
import { type CheckpointNote, parseCheckpointNote } from './checkpoint-note';
import {
  type AskConsistency,
  inOrder,
  type Mark,
  markOf,
  markOfNote,
  problemOfKept,
  problemOfNote,
  problemOfOrder,
  type Witnessed,
  witnessedIn,
  type WitnessPolicy,
} from './marks';
import type { NoteKey } from './note';
import type { Problem } from './problem';
import { problemOfKeys, trustedThrough } from './rotation';

/** What a verifier knows beside the export: keys and witnesses it trusts, what it kept from before, and who proves consistency. */
export type Known = {
  trustedKeyIds?: readonly string[] | null;
  /** Keys of notes that are pinned with the name of the log, of which one must have signed every note. */
  trustedNoteKeys?: readonly NoteKey[] | null;
  keptCheckpoints?: readonly Checkpoint[];
  keptNotes?: readonly CheckpointNote[];
  witnesses?: WitnessPolicy | null;
  /** Asked for what the export of a portfolio does not bring along. */
  askConsistency?: AskConsistency;
};

/** What stands before the entries of an export: what it is, who signed what, and what proves it. */
export class Preamble {
  portfolio: string | null | undefined;
  /** The trees that the entries are led past, by size. */
  marks: Mark[] = [];
  head: PortfolioHead | null = null;
  compared = 0;
  witnessed: Witnessed | null = null;
  readonly checkpoints: Checkpoint[] = [];
  readonly proofs = new Map<number, InclusionProof>();
  readonly #keys = new Map<string, LedgerKey>();
  readonly #notes: CheckpointNote[] = [];
  readonly #consistencies = new Map<string, ConsistencyProof>();

  /** Keeps a record for the entries that follow; says what is wrong with it. */
  keep(record: Exclude<LedgerRecord, { entry: LedgerEntry }>): string | null {
    if ('format' in record) {
      if (this.portfolio !== undefined) return 'the export begins a second time; download it again.';
      this.portfolio = record.portfolio;
    } else if ('key' in record) {
      if (this.#keys.has(record.key.kid)) return `the key ${record.key.kid} stands there twice.`;
      this.#keys.set(record.key.kid, record.key);
    } else if ('checkpoint' in record) {
      this.checkpoints.push(record.checkpoint);
    } else if ('note' in record) {
      const note = parseCheckpointNote(record.note);
      if (!note) return 'the signed note is not a checkpoint; download the export again.';
      this.#notes.push(note);
    } else if ('consistency' in record) {
      this.#consistencies.set(`${record.consistency.from}-${record.consistency.to}`, record.consistency);
    } else if ('head' in record) {
      if (this.head) return 'how far the portfolio had come stands there twice.';
      this.head = record.head;
    } else {
      if (this.proofs.has(record.proof.sequence))
        return `the proof of entry ${record.proof.sequence} stands there twice.`;
      this.proofs.set(record.proof.sequence, record.proof);
    }
    return null;
  }

  /** What is wrong with it by itself and beside what is known; `place` is where the first entry stands. Afterwards `marks` is filled. */
  async problem(place: string, known: Known): Promise<Problem | null> {
    if (this.portfolio === undefined)
      return {
        kind: 'malformed',
        sequence: null,
        sentence: `${place}: the export has no header that says what it is; download it again.`,
      };
    const { keptCheckpoints = [], keptNotes = [] } = known;
    const problem = await this.#problemOfSignatures(known);
    if (problem) return problem;
    const own = this.checkpoints.map(markOf);
    const noted = this.#notes.map(markOfNote);
    const kept = [...keptCheckpoints.map(markOf), ...keptNotes.map(markOfNote)];
    const all = inOrder([...own, ...noted, ...kept]);
    this.compared = kept.length;
    // Proofs lead to the export's own checkpoints; only the whole ledger passes through every tree.
    this.marks = this.portfolio === null ? all : inOrder(own);
    return problemOfOrder(all) ?? (this.portfolio === null ? null : this.#problemOfOthers(noted, kept, known));
  }

  async #problemOfSignatures({
    trustedKeyIds = null,
    trustedNoteKeys = null,
    keptCheckpoints = [],
    keptNotes = [],
    witnesses = null,
  }: Known): Promise<Problem | null> {
    const wrong = await problemOfKeys(this.#keys);
    if (wrong) return wrong;
    const trusted = trustedThrough(this.#keys, trustedKeyIds);
    for (const checkpoint of [...this.checkpoints, ...keptCheckpoints]) {
      const problem = await problemOfCheckpoint(checkpoint, this.#keys, trusted);
      if (problem) return problem;
    }
    for (const note of [...this.#notes, ...keptNotes]) {
      const problem = await problemOfNote(note, this.#keys.values(), trustedNoteKeys);
      if (problem) return problem;
    }
    if (!witnesses) return null;
    const witnessed = await witnessedIn(this.#notes, witnesses);
    if ('kind' in witnessed) return witnessed;
    this.witnessed = witnessed;
    return null;
  }

  /** In the export of a portfolio, other trees are held against the newest checkpoint by proofs. */
  async #problemOfOthers(
    noted: readonly Mark[],
    kept: readonly Mark[],
    { askConsistency }: Known,
  ): Promise<Problem | null> {
    const newest = this.marks.at(-1);
    const ask: AskConsistency = async (from, to) =>
      this.#consistencies.get(`${from}-${to}`) ?? (await askConsistency?.(from, to)) ?? null;
    for (const [name, marks] of [
      ['The signed note', noted],
      ['The checkpoint that you kept', kept],
    ] as const) {
      for (const mark of marks) {
        const problem = await problemOfKept(name, mark, newest, ask);
        if (problem) return problem;
      }
    }
    return null;
  }
}
