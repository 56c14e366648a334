import type { TipProof } from '../schema/calls';
import { parseCheckpointNote } from './checkpoint-note';
import type { AskConsistency } from './marks';
import type { Problem } from './problem';
import { trustedThrough } from './rotation';
import { problemOfTrees, type Seen } from './watch';

/**
 * What is wrong with a signed checkpoint, held against what a browser keeps of the record: it is signed by a key that is known or that a known
 * one signed, and its tree and the one that was seen begin alike. The keys are known to follow on each other. Null when all of it holds.
 */
export async function problemBesideSeen(
  seen: Seen,
  { keys, checkpoint }: Pick<TipProof, 'keys' | 'checkpoint'>,
  ask: AskConsistency,
): Promise<Problem | null> {
  const before = parseCheckpointNote(seen.note);
  if (!before) return null;
  if (!checkpoint)
    return {
      kind: 'truncated',
      sequence: null,
      sentence: `It comes without a signed checkpoint, although this browser saw one at entry ${before.size} before.`,
    };
  const known = new Map(keys.map((key) => [key.kid, key]));
  const trusted = trustedThrough(
    known,
    seen.keys.map(({ kid }) => kid),
  );
  if (!trusted?.includes(checkpoint.keyId))
    return {
      kind: 'key',
      sequence: null,
      sentence: `The record is signed by the key ${checkpoint.keyId} now, which no key that signed it before has signed.`,
    };
  const sentence = await problemOfTrees(before, { size: checkpoint.sequence, root: checkpoint.root }, ask);
  return sentence === null ? null : { kind: 'consistency', sequence: null, sentence };
}
