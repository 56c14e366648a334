import type { LedgerKey } from '../schema/checkpoints';
import { type CheckpointNote, logKeysOf, parseCheckpointNote } from './checkpoint-note';
import type { AskConsistency } from './marks';
import { signersOf } from './note';
import { isConsistent } from './tree';

/** What a browser keeps of the record: the newest note it saw, and the keys that signed the log by then. */
export type Seen = { note: string; keys: LedgerKey[] };

/** What came of looking again: what to keep from now on, or the sentence that says why what is shown cannot be what was seen before. */
export type Looked = { seen: Seen } | { alarm: string };

/** Asks for the keys of the log as they are published now. */
export type AskKeys = () => Promise<readonly LedgerKey[]>;

const byId = (keys: readonly LedgerKey[]) => new Map(keys.map((key) => [key.kid, key]));

/**
 * Product §14: holds the newest note of the record against the one that was seen before, null for the first time: the same log, signed by a
 * key that is known or that a known one signed, and a tree that begins with the one before. `ask` gives null where the site proves nothing.
 */
export async function lookAgain(
  before: Seen | null,
  shown: string,
  askKeys: AskKeys,
  ask: AskConsistency,
): Promise<Looked> {
  const now = parseCheckpointNote(shown);
  if (!now) return { alarm: 'The site does not show a signed checkpoint of its record any more.' };
  // Every tree begins with the one without entries, so that nothing could be held against it.
  if (now.size === 0)
    return { alarm: 'The site shows a checkpoint that covers no entry, which an honest record never signs.' };
  const past = before && parseCheckpointNote(before.note);
  if (past && past.origin !== now.origin)
    return { alarm: `The record is called ${now.origin} now; before it was ${past.origin}.` };
  const keys = await signingKeys(before, now, askKeys);
  if (typeof keys === 'string') return { alarm: keys };
  const alarm = past ? await problemOfTrees(past, now, ask) : null;
  if (alarm !== null) return { alarm };
  return { seen: { note: past && past.size > now.size ? before.note : shown, keys: [...keys] } };
}

async function signingKeys(
  before: Seen | null,
  now: CheckpointNote,
  askKeys: AskKeys,
): Promise<readonly LedgerKey[] | string> {
  const signed = async (keys: readonly LedgerKey[]) => {
    const known = await logKeysOf(
      now.origin,
      keys.map(({ x }) => x),
    );
    const signers = await signersOf(now.note, known);
    return (
      signers && known.flatMap((noteKey, index) => (keys[index] && signers.includes(noteKey) ? [keys[index]] : []))
    );
  };
  const falsely = `The newest checkpoint of the record, at entry ${now.size}, has a false signature.`;
  const byKnown = before ? await signed(before.keys) : [];
  if (byKnown === false) return falsely;
  if (before && byKnown.length > 0) return before.keys;
  const published = await askKeys();
  const signers = await signed(published);
  if (signers === false || signers.length === 0) return falsely;
  if (!before) return signers;
  // Fetched where a key is new: whoever looks again finds the one that was known.
  const { problemOfKeys, trustedThrough } = await import('./rotation');
  const wrong = await problemOfKeys(byId(published));
  if (wrong) return wrong.sentence;
  const trusted =
    trustedThrough(
      byId(published),
      before.keys.map(({ kid }) => kid),
    ) ?? [];
  if (!signers.some(({ kid }) => trusted.includes(kid)))
    return `The record is signed by the key ${signers[0]?.kid} now, which no key that signed it before has signed.`;
  return published;
}

type Tree = Pick<CheckpointNote, 'size' | 'root'>;

/** A sentence that says why the tree that is shown now and the one that was shown before are not of one record; null when the longer begins with the shorter. */
export async function problemOfTrees(past: Tree, now: Tree, ask: AskConsistency): Promise<string | null> {
  if (past.size === now.size)
    return past.root === now.root ? null : `Two checkpoints at entry ${now.size} state two different records.`;
  const [earlier, later] = past.size < now.size ? [past, now] : [now, past];
  const proof = await ask(earlier.size, later.size);
  if (
    proof &&
    proof.from === earlier.size &&
    proof.to === later.size &&
    (await isConsistent(proof, earlier.root, later.root))
  )
    return null;
  return past.size < now.size
    ? `The record of ${now.size} entries that is shown now does not begin with the ${past.size} that were shown before: what was recorded has been changed.`
    : `The record shows ${now.size} entries now, fewer than the ${past.size} that were shown before, and not the first of them.`;
}
