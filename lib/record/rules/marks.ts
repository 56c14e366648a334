import type { Checkpoint, ConsistencyProof, LedgerKey } from '../schema/checkpoints';
import { type CheckpointNote, logKeysOf } from './checkpoint-note';
import { cosignedAt, isNamed, type NoteKey, signersOf } from './note';
import type { Problem, ProblemKind } from './problem';
import { isConsistent } from './tree';

/** What vouches for a tree: the first `size` entries have this root. A checkpoint also states the last hash and its date; one that counts the portfolios says so. */
export type Mark = { size: number; root: string; hash: string | null; at: string | null; counted: boolean };

/** The witnesses that somebody trusts, and how many of them must have signed. */
export type WitnessPolicy = { keys: readonly NoteKey[]; quorum: number };

/** Who cosigned a checkpoint, and when the last of them did, in seconds since 1970. */
export type Witnessed = { size: number; names: string[]; atSeconds: number };

const fail = (kind: ProblemKind, sentence: string): Problem => ({ kind, sequence: null, sentence });

/** A checkpoint as a mark. */
export function markOf({ sequence, root, hash, at, counted }: Checkpoint): Mark {
  return { size: sequence, root, hash, at, counted: counted === true };
}

/** A signed note as a mark; there are none from before portfolios were counted. */
export function markOfNote({ size, root }: CheckpointNote): Mark {
  return { size, root, hash: null, at: null, counted: true };
}

/** Marks by size and date. */
export function inOrder(marks: readonly Mark[]): Mark[] {
  return marks.toSorted(
    (a, b) => a.size - b.size || ((a.at ?? '') < (b.at ?? '') ? -1 : Number((a.at ?? '') > (b.at ?? ''))),
  );
}

/** What is wrong with marks in their order, as they stand beside each other. */
export function problemOfOrder(marks: readonly Mark[]): Problem | null {
  let latest: Mark | null = null;
  for (const [index, { size, hash, root, at, counted }] of marks.entries()) {
    const before = marks[index - 1];
    if (
      before?.size === size &&
      ((before.hash !== null && hash !== null && before.hash !== hash) ||
        before.root !== root ||
        before.counted !== counted)
    ) {
      return fail(
        'checkpoint',
        `Two signed checkpoints at entry ${size} contradict each other: whoever signed them keeps two ledgers.`,
      );
    }
    if (before?.counted && !counted)
      return fail(
        'checkpoint',
        `The checkpoint at entry ${size} does not count the portfolios, although the one at entry ${before.size} did: it was not signed by an honest ledger.`,
      );
    if (at === null) continue;
    if (latest?.at && at < latest.at)
      return fail(
        'checkpoint',
        `The checkpoint at entry ${size} is dated ${at}, before the one at entry ${latest.size} (${latest.at}).`,
      );
    latest = marks[index] ?? null;
  }
  return null;
}

/** What is wrong with a note by itself: a tree without entries, a key that is unknown or not trusted, or a false signature. `trusted` are pinned keys, of which one must have signed; null trusts what the ledger publishes. */
export async function problemOfNote(
  { origin, size, note }: CheckpointNote,
  keys: Iterable<LedgerKey>,
  trusted: readonly NoteKey[] | null,
): Promise<Problem | null> {
  const name = `The signed note at entry ${size}`;
  if (size === 0)
    return fail('note', `${name} covers no entry, so that every ledger agrees with it: an honest one signs none such.`);
  const known = await logKeysOf(
    origin,
    [...keys].map(({ x }) => x),
  );
  const signers = await signersOf(note, [
    ...known,
    ...(trusted ?? []).filter((key) => !known.some(({ name: other, id }) => other === key.name && id === key.id)),
  ]);
  if (signers === false) return fail('signature', `${name} has a false signature; it was changed after it was signed.`);
  if (!signers.some((signer) => known.includes(signer)))
    return fail('key', `${name} is not signed by a key that the ledger publishes.`);
  if (
    trusted &&
    !trusted.some((key) =>
      signers.some((signer) => isNamed({ name: signer.name, id: signer.id, signature: signer.publicKey }, key)),
    )
  ) {
    return fail('key', `${name} is the log ${origin}, signed by none of the keys that you trust.`);
  }
  return null;
}

/** Which of the notes enough trusted witnesses cosigned, the longest of them; a Problem when none is. */
export async function witnessedIn(
  notes: readonly CheckpointNote[],
  { keys, quorum }: WitnessPolicy,
): Promise<Witnessed | Problem> {
  let most = 0;
  for (const { size, note } of notes.toSorted((a, b) => b.size - a.size)) {
    const signers = await signersOf(note, keys);
    if (signers === false)
      return fail('witness', `The signed note at entry ${size} has a false cosignature of a witness that you trust.`);
    if (signers.length >= quorum) {
      const dates = note.signatures
        .filter((signature) => signers.some((key) => isNamed(signature, key)))
        .map((signature) => cosignedAt(signature) ?? 0);
      return { size, names: signers.map(({ name }) => name), atSeconds: Math.max(...dates) };
    }
    most = Math.max(most, signers.length);
  }
  return fail(
    'witness',
    `No checkpoint in it bears the cosignatures that you ask for: ${quorum} of ${keys.length} witnesses were to sign, ${most} did.`,
  );
}

/** Gives the proof that the tree of one size begins with that of another, null where it cannot. */
export type AskConsistency = (from: number, to: number) => Promise<ConsistencyProof | null>;

/** What is wrong with a tree that somebody kept, held against the newest one of an export; `name` begins the sentence. */
export async function problemOfKept(
  name: string,
  kept: Mark,
  newest: Mark | undefined,
  ask: AskConsistency,
): Promise<Problem | null> {
  const what = `${name} at entry ${kept.size}`;
  if (!newest) return fail('uncompared', `${what} could not be compared: the export comes without any checkpoint.`);
  if (kept.size > newest.size)
    return fail(
      'truncated',
      `${what} is newer than this export, whose newest checkpoint covers ${newest.size} entries: its end is missing, or it is an old one. Download it again.`,
    );
  if (kept.size === newest.size) return null;
  const proof = await ask(kept.size, newest.size);
  if (!proof) {
    return fail(
      'uncompared',
      `${what} could not be compared with the one at entry ${newest.size}: nothing shows that the one begins with the other. Give the proof (--consistency, a file or /api/ledger/consistency?from=${kept.size}&to=${newest.size}), or verify the whole ledger.`,
    );
  }
  if (proof.from !== kept.size || proof.to !== newest.size || !(await isConsistent(proof, kept.root, newest.root))) {
    return fail(
      'consistency',
      `${what} is not the beginning of the ledger that the checkpoint at entry ${newest.size} signs: what it covers was rewritten since.`,
    );
  }
  return null;
}
