import type { ConsistencyProof } from '../schema/checkpoints';
import { base64Of, bytesOfHex, hexOf } from './canonical';
import { type CheckpointNote, parseCheckpointNote } from './checkpoint-note';
import { bytesOfBase64, type NoteKey, signersOf } from './note';
import { isConsistent, treeRoot } from './tree';

/** C2SP tlog-witness: the body that asks a witness to cosign a checkpoint: the size it cosigned last, what leads from there, and the signed note. */
export function writeAddCheckpoint({ from, path }: Pick<ConsistencyProof, 'from' | 'path'>, note: string): string {
  return `old ${from}\n${path.map((hash) => `${base64Of(bytesOfHex(hash))}\n`).join('')}\n${note}`;
}

/** What a witness is asked to cosign. */
export type AddCheckpoint = { old: number; path: string[]; checkpoint: CheckpointNote };

/** C2SP tlog-witness: reads what a witness is asked; null for what is no such request. */
export function parseAddCheckpoint(body: string): AddCheckpoint | null {
  const split = body.indexOf('\n\n');
  if (split < 0) return null;
  const [first = '', ...lines] = body.slice(0, split).split('\n');
  const [, old] = /^old (0|[1-9]\d{0,15})$/.exec(first) ?? [];
  const path = lines.map((line) => bytesOfBase64(line));
  const checkpoint = parseCheckpointNote(body.slice(split + 2));
  if (
    old === undefined ||
    !Number.isSafeInteger(Number(old)) ||
    path.length > 63 ||
    path.some((hash) => hash?.length !== 32) ||
    !checkpoint
  )
    return null;
  return { old: Number(old), path: path.map((hash) => hexOf(hash ?? new Uint8Array())), checkpoint };
}

/** The newest tree that a witness cosigned for a log; size 0 before the first. */
export type WitnessedTree = { size: number; root: string };

/** What a witness decides: to cosign (200), or the status of its refusal; a 409 tells the size that it cosigned last. */
export type WitnessDecision =
  | { status: 200 }
  | { status: 400 | 403 | 404 | 422; why: string }
  | { status: 409; size: number };

/** C2SP tlog-witness: whether a witness that knows these keys of the log (null for an unknown log) and cosigned `latest` cosigns this too. */
export async function decideToCosign(
  { old, path, checkpoint }: AddCheckpoint,
  keys: readonly NoteKey[] | null,
  latest: WitnessedTree | null,
): Promise<WitnessDecision> {
  if (!keys) return { status: 404, why: `The log ${checkpoint.origin} is not one that this witness knows.` };
  const signers = await signersOf(checkpoint.note, keys);
  if (signers === false || signers.length === 0)
    return {
      status: 403,
      why: `No key that this witness knows of the log ${checkpoint.origin} signed the checkpoint. Where the log has changed its key, tell this witness the new one (--log), or have it follow the log’s site: it takes a key that the old one signed.`,
    };
  if (old > checkpoint.size)
    return { status: 400, why: `The old size ${old} is above that of the checkpoint, ${checkpoint.size}.` };
  const known = latest ?? { size: 0, root: await treeRoot([]) };
  if (old !== known.size) return { status: 409, size: known.size };
  if (old === checkpoint.size && known.root !== checkpoint.root) return { status: 409, size: known.size };
  if (!(await isConsistent({ from: old, to: checkpoint.size, path }, known.root, checkpoint.root)))
    return {
      status: 422,
      why: `The proof does not lead from the tree of ${old} entries to that of ${checkpoint.size}.`,
    };
  return { status: 200 };
}
