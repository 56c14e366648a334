/** What can be wrong with an export of the ledger. */
export type ProblemKind =
  | 'unreadable'
  | 'malformed'
  | 'key'
  | 'signature'
  | 'checkpoint'
  | 'note'
  | 'consistency'
  | 'uncompared'
  | 'witness'
  | 'head'
  | 'truncated'
  | 'empty'
  | 'sequence'
  | 'hash'
  | 'link'
  | 'time'
  | 'portfolio-sequence'
  | 'proof'
  | 'duplicate'
  | 'unknown-tip'
  | 'late'
  | 'opening'
  | 'settlement'
  | 'unopened';

/** Something wrong with an export: its kind, the sequence of the entry concerned or null, and a sentence for people. */
export type Problem = { kind: ProblemKind; sequence: number | null; sentence: string };

/** A problem with the entry of this sequence; the sentence goes on after "Entry 12 ". */
export function entryProblem(kind: ProblemKind, sequence: number, sentence: string): Problem {
  return { kind, sequence, sentence: `Entry ${sequence} ${sentence}` };
}
