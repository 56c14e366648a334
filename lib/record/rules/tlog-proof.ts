import type { InclusionProof } from '../schema/checkpoints';
import { entrySchema, type LedgerEntry } from '../schema/entries';
import { base64Of, bytesOfHex, canonicalJson, hexOf, utf8 } from './canonical';
import { type CheckpointNote, parseCheckpointNote } from './checkpoint-note';
import { hashEntry } from './entry';
import { witnessedIn, type Witnessed, type WitnessPolicy } from './marks';
import { bytesOfBase64, type NoteKey, signersOf } from './note';
import { isIncluded } from './tree';

const firstLine = 'c2sp.org/tlog-proof@v1';

/** C2SP tlog-proof: an entry with the way up to a signed checkpoint, which convinces by itself. The extra data are the entry's canonical JSON, whose hash is what the log holds. */
export function writeTlogProof(entry: LedgerEntry, proof: InclusionProof, note: string): string {
  return writeTlogProofs([{ text: canonicalJson(entry), proof }], note);
}

/** The same of several entries, each given as its canonical JSON, one after another. */
export function writeTlogProofs(entries: readonly { text: string; proof: InclusionProof }[], note: string): string {
  const known = new Map<string, string>();
  const base64OfHash = (hash: string) => {
    const found = known.get(hash) ?? base64Of(bytesOfHex(hash));
    known.set(hash, found);
    return found;
  };
  return entries
    .map(
      ({ text, proof: { sequence, path } }) =>
        `${[firstLine, `extra ${base64Of(utf8(text))}`, `index ${sequence - 1}`, ...path.map(base64OfHash)].join('\n')}\n\n${note}`,
    )
    .join('');
}

/** A proof that was read: the entry in its extra data, its index in the log from 0, the way up, and the checkpoint. */
export type TlogProof = { entry: LedgerEntry; index: number; path: string[]; checkpoint: CheckpointNote };

/** Whether a text begins as a proof does. */
export function isTlogProof(text: string): boolean {
  return text.startsWith(`${firstLine}\n`);
}

/** The proofs in a file: one, or several one after another. */
export function splitTlogProofs(text: string): string[] {
  return text.split(new RegExp(`^(?=${firstLine.replaceAll('.', '\\.')}$)`, 'm'));
}

/** The proof in a text, or the sentence that says why it is none of an entry of the record. */
export function parseTlogProof(text: string): TlogProof | string {
  const split = text.indexOf('\n\n');
  const [first, extra, index, ...path] = text.slice(0, Math.max(0, split)).split('\n');
  if (first !== firstLine) return 'is no proof: its first line is not c2sp.org/tlog-proof@v1.';
  const entry = entryIn(/^extra (.+)$/.exec(extra ?? '')?.[1] ?? '');
  if (!entry) return 'has no entry of the record in its extra data.';
  const [, place] = /^index (0|[1-9]\d{0,9})$/.exec(index ?? '') ?? [];
  if (place === undefined) return 'does not say the index of its entry.';
  const hashes = path.map((line) => bytesOfBase64(line));
  if (hashes.length > 63 || hashes.some((hash) => hash?.length !== 32)) return 'has a hash in it that is none.';
  const checkpoint = parseCheckpointNote(text.slice(split + 2));
  return checkpoint
    ? { entry, index: Number(place), path: hashes.map((hash) => hexOf(hash ?? new Uint8Array())), checkpoint }
    : 'ends in something else than a signed checkpoint.';
}

function entryIn(base64: string): LedgerEntry | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytesOfBase64(base64) ?? undefined);
    const entry = entrySchema.parse(JSON.parse(text));
    return canonicalJson(entry) === text ? entry : null;
  } catch {
    return null;
  }
}

/** What a verifier trusts: keys of the log with its name, and witnesses of whom so many must have signed. */
export type ProofPolicy = { keys: readonly NoteKey[]; witnesses: WitnessPolicy | null };

/** What came of a proof: the sentence that says what is wrong, or who signed it and who cosigned. */
export type ProofFinding = { problem: string } | { problem: null; signers: string[]; witnessed: Witnessed | null };

/** C2SP tlog-proof: whether the entry is in the tree that the checkpoint states, and a trusted key of the log and enough witnesses signed that. */
export async function checkTlogProof(
  { entry, index, path, checkpoint }: TlogProof,
  { keys, witnesses }: ProofPolicy,
): Promise<ProofFinding> {
  const fail = (problem: string) => ({ problem });
  if (entry.hash !== (await hashEntry(entry)))
    return fail(`Entry ${entry.sequence} does not have the hash of its content.`);
  if (entry.sequence !== index + 1)
    return fail(`The proof is of the index ${index}, where entry ${index + 1} stands, not entry ${entry.sequence}.`);
  if (!(await isIncluded(entry.hash, { sequence: entry.sequence, size: checkpoint.size, path }, checkpoint.root)))
    return fail(
      `Entry ${entry.sequence} is not part of the log that the checkpoint at entry ${checkpoint.size} signs.`,
    );
  const signers = await signersOf(
    checkpoint.note,
    keys.filter(({ name }) => name === checkpoint.origin),
  );
  if (signers === false) return fail(`The checkpoint at entry ${checkpoint.size} has a false signature.`);
  if (signers.length === 0)
    return fail(
      `The checkpoint at entry ${checkpoint.size} of the log ${checkpoint.origin} is signed by none of the keys that you trust.`,
    );
  const witnessed = witnesses && (await witnessedIn([checkpoint], witnesses));
  if (witnessed && 'kind' in witnessed) return fail(witnessed.sentence);
  return { problem: null, signers: signers.map(({ name, id }) => `${name}+${id}`), witnessed };
}
