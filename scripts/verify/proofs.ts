import {
  type AskConsistency,
  checkTlogProof,
  markOf,
  markOfNote,
  type NoteKey,
  parseTlogProof,
  problemOfKept,
  splitTlogProofs,
  type WitnessPolicy,
} from '@/lib/record/rules';
import type { Kept } from './known';
import { Refusal } from './reading';

/** What is held against the proofs: keys of the log, witnesses, kept checkpoints and who proves consistency. */
export type Held = Kept & {
  noteKeys: readonly NoteKey[];
  witnesses: WitnessPolicy | null;
  askConsistency: AskConsistency;
};

/** What verification of a file of proofs found: whether all hold, and the sentences that say so. */
export type ProofsFinding = { ok: boolean; sentences: string[] };

/** C2SP tlog-proof: verifies a file of one proof or several, offline, by the keys that were named. */
export async function verifyProofs(
  text: string,
  { noteKeys, witnesses, keptCheckpoints, keptNotes, askConsistency }: Held,
): Promise<ProofsFinding> {
  if (noteKeys.length === 0)
    throw new Refusal(
      'Name the key of the log with --key, as the page about the record shows it: a proof convinces only by a key that you know from elsewhere.',
    );
  const kept = [...keptCheckpoints.map(markOf), ...keptNotes.map(markOfNote)];
  const said: string[] = [];
  for (const [index, each] of splitTlogProofs(text).entries()) {
    const fail = (sentence: string): ProofsFinding => ({
      ok: false,
      sentences: [`Not verified. Proof ${index + 1}: ${sentence}`],
    });
    const proof = parseTlogProof(each);
    if (typeof proof === 'string') return fail(`it ${proof}`);
    const finding = await checkTlogProof(proof, { keys: noteKeys, witnesses });
    if (finding.problem !== null) return fail(finding.problem);
    for (const mark of kept) {
      const problem =
        mark.size === proof.checkpoint.size && mark.root !== proof.checkpoint.root
          ? 'The checkpoint that you kept has the same size and another root.'
          : (await problemOfKept('The checkpoint that you kept', mark, markOfNote(proof.checkpoint), askConsistency))
              ?.sentence;
      if (problem !== undefined) return fail(problem);
    }
    const { entry, checkpoint } = proof;
    const about = 'tip' in entry ? ` on the tip ${entry.tip} of ${entry.portfolio}` : '';
    const cosigned = finding.witnessed
      ? `, cosigned by ${finding.witnessed.names.join(', ')}, last at ${new Date(1000 * finding.witnessed.atSeconds).toISOString()}`
      : '';
    said.push(
      `Entry ${entry.sequence}, ${entry.kind}${about}, dated ${entry.at}: in the log ${checkpoint.origin} of ${checkpoint.size} entries, signed by ${finding.signers.join(', ')}${cosigned}.`,
    );
  }
  const more =
    kept.length > 0
      ? [`It agrees with ${kept.length === 1 ? 'the checkpoint' : `the ${kept.length} checkpoints`} that you kept.`]
      : [];
  return {
    ok: true,
    sentences: [
      `Verified: ${said.length === 1 ? 'the entry is' : `${said.length} entries are`} on the record as the log signed it.`,
      ...said,
      ...more,
    ],
  };
}
