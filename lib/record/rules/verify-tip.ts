import type { TipProof } from '../schema/calls';
import { problemOfCheckpoint } from './checkpoint';
import { hashEntry } from './entry';
import { entryProblem, type Problem } from './problem';
import { problemOfKeys } from './rotation';
import { commitmentOpenedBy, TipHistory } from './tip-history';
import { isIncluded } from './tree';

type Proved = TipProof['entries'][number];

/** What is wrong with the entries of one tip, their proofs or the checkpoint that they lead to; null when all of it holds. */
export async function problemOfTip({ tip, keys, checkpoint, entries }: TipProof): Promise<Problem | null> {
  const known = new Map(keys.map((key) => [key.kid, key]));
  const problem = (await problemOfKeys(known)) ?? (checkpoint && (await problemOfCheckpoint(checkpoint, known, null)));
  if (problem) return problem;
  const history = new TipHistory();
  let before = 0;
  for (const { entry, proof } of entries) {
    const { sequence } = entry;
    if (entry.tip !== tip)
      return entryProblem('unknown-tip', sequence, `is about the tip ${entry.tip}, not about ${tip}.`);
    if (sequence <= before)
      return entryProblem('sequence', sequence, `stands after entry ${before}: entries are repeated or out of order.`);
    before = sequence;
    const wrong =
      (await problemOfEntry({ entry, proof }, checkpoint)) ?? history.add(entry, await commitmentOpenedBy(entry));
    if (wrong) return wrong;
  }
  return null;
}

async function problemOfEntry({ entry, proof }: Proved, checkpoint: TipProof['checkpoint']): Promise<Problem | null> {
  const { sequence, at, hash } = entry;
  if (hash !== (await hashEntry(entry)))
    return entryProblem(
      'hash',
      sequence,
      'does not have the hash of its content; the one or the other was changed after it was recorded.',
    );
  if (!checkpoint || sequence > checkpoint.sequence) return null;
  if (!proof) return entryProblem('proof', sequence, 'comes without a proof that it is under the signed checkpoint.');
  if (
    proof.sequence !== sequence ||
    proof.size !== checkpoint.sequence ||
    !(await isIncluded(hash, proof, checkpoint.root))
  ) {
    return entryProblem(
      'proof',
      sequence,
      `is not part of the ledger that the checkpoint at entry ${checkpoint.sequence} signs.`,
    );
  }
  if (at > checkpoint.at)
    return entryProblem('time', sequence, `is dated ${at}, after the checkpoint that covers it (${checkpoint.at}).`);
  return null;
}

const count = (number: number) => `${number} ${number === 1 ? 'entry' : 'entries'}`;

function settlementSentences(entries: readonly Proved[]): string[] {
  const settlements = entries.flatMap(({ entry }) =>
    entry.kind === 'tip-settled' || entry.kind === 'tip-corrected' ? [entry.content] : [],
  );
  const stated = settlements.filter(({ legs }) => legs.every(({ facts }) => facts)).length;
  const older = settlements.length - stated;
  return [
    ...(stated > 0
      ? [
          `${count(stated)} of its settlement, with outcome, stake and profit as they follow from the tip and from the results stated.`,
        ]
      : []),
    ...(older > 0
      ? [
          `${count(older)} of its settlement in an older format, recomputed as far as that tells what it was computed from.`,
        ]
      : []),
  ];
}

/**
 * What verification of one tip found, in sentences: the verdict first, then who signed it and what it does not prove. `comparedWith` is the size
 * of the tree that its checkpoint was compared with, null without one.
 */
export function tipSentences(
  { tip, checkpoint, entries }: TipProof,
  problem: Problem | null,
  comparedWith: number | null = null,
): string[] {
  if (problem) return [`Not verified. ${problem.sentence}`];
  const awaiting = entries.filter(({ entry }) => entry.sequence > (checkpoint?.sequence ?? 0)).length;
  const signed = entries.length - awaiting;
  return [
    `Verified: ${count(entries.length)} of the tip ${tip}, in order, each with the hash of its content.`,
    ...settlementSentences(entries),
    ...(checkpoint && signed > 0
      ? [
          `${count(signed)} proved to be under the checkpoint at entry ${checkpoint.sequence}, signed at ${checkpoint.at} by ${checkpoint.keyId}.`,
        ]
      : []),
    ...(awaiting > 0
      ? [
          `${count(awaiting)} not yet under a checkpoint: until the next is signed, that much could still be written anew.`,
        ]
      : []),
    ...(comparedWith === null
      ? []
      : [`It agrees with the checkpoint at entry ${comparedWith} that this browser keeps.`]),
    'Whether the ledger has further entries on this tip, only the whole ledger shows.',
  ];
}
