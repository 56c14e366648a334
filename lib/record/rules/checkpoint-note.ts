import { base64Of, bytesOfBase64url, bytesOfHex, hexOf } from './canonical';
import { bytesOfBase64, isKeyName, type Note, type NoteKey, noteKeyOf, parseNote } from './note';

/** What a checkpoint of a log states: which log, how many entries, and the root of their Merkle tree in hexadecimal. */
export type TreeHead = { origin: string; size: number; root: string };

/** C2SP tlog-checkpoint: the text of a checkpoint, without further lines, so that every witness takes it. */
export function checkpointText({ origin, size, root }: TreeHead): string {
  return `${origin}\n${size}\n${base64Of(bytesOfHex(root))}\n`;
}

/** What the text of a checkpoint states, further lines left aside; null when it is none. */
export function parseCheckpointText(text: string): TreeHead | null {
  const [, origin = '', size = '', base64 = ''] =
    /^([^\n]+)\n(0|[1-9]\d{0,15})\n([^\n]+)\n(?:[^\n]+\n)*$/.exec(text) ?? [];
  const root = bytesOfBase64(base64);
  if (origin === '' || root?.length !== 32 || !Number.isSafeInteger(Number(size))) return null;
  return { origin, size: Number(size), root: hexOf(root) };
}

/** A checkpoint as a signed note, read: what it states beside the note that says so. */
export type CheckpointNote = TreeHead & { note: Note };

/** C2SP tlog-checkpoint: the checkpoint in a signed note, null when it is none. */
export function parseCheckpointNote(whole: string): CheckpointNote | null {
  const note = parseNote(whole);
  const head = note && parseCheckpointText(note.text);
  return head && { ...head, note };
}

/** The keys of the record (each the `x` of its JSON Web Key) as they sign the notes of the log of this origin, in their order; none where no key can have that name. */
export function logKeysOf(origin: string, xs: readonly string[]): Promise<NoteKey[]> {
  return Promise.all(isKeyName(origin) ? xs.map((x) => logKeyOf(origin, x)) : []);
}

/** The key of the record (the `x` of its JSON Web Key) as it signs the notes of the log of this origin. */
export function logKeyOf(origin: string, x: string): Promise<NoteKey> {
  return noteKeyOf(origin, 0x01, bytesOfBase64url(x));
}
