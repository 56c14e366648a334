import {
  type AskConsistency,
  base64urlOf,
  type CheckpointNote,
  keyIdOf,
  type NoteKey,
  parseCheckpointNote,
  parseVkey,
  parseWitnessKey,
  type WitnessPolicy,
} from '@/lib/record/rules';
import { type Checkpoint, checkpointSchema, type ConsistencyProof, consistencyProofSchema } from '@/lib/record/schema';
import { fetchJson, readText, Refusal, urlOf } from './reading';

/** The keys that somebody trusts: ids of the ledger's keys, and those among them that are pinned as keys of notes with the name of the log. */
export type TrustedKeys = { ids: string[]; noteKeys: NoteKey[] };

/** Reads keys: each the id of a key, or a key of notes (vkey). */
export async function readKeys(texts: readonly string[]): Promise<TrustedKeys> {
  const keys: TrustedKeys = { ids: [], noteKeys: [] };
  for (const text of texts) {
    const noteKey = text.includes('+') ? await parseVkey(text) : null;
    if (text.includes('+') && noteKey?.type !== 0x01)
      throw new Refusal(
        `"${text}" is no key of a log. Give it as the page about the record shows it: name, id and key with plus signs between them.`,
      );
    keys.ids.push(noteKey ? await keyIdOf(base64urlOf(noteKey.publicKey)) : text);
    if (noteKey) keys.noteKeys.push(noteKey);
  }
  return keys;
}

/** Reads the witnesses that somebody trusts, of whom all must have signed unless another number is said; null for none. */
export async function readWitnesses(
  texts: readonly string[],
  quorum: string | undefined,
): Promise<WitnessPolicy | null> {
  const keys = await Promise.all(
    texts.map(async (text) => {
      const key = await parseWitnessKey(text);
      if (!key)
        throw new Refusal(
          `"${text}" is no key of a witness. Give it as the witness publishes it: name, id and key with plus signs between them.`,
        );
      return key;
    }),
  );
  const wanted = quorum === undefined ? keys.length : Number(quorum);
  if (quorum !== undefined && (!/^[1-9]\d{0,2}$/.test(quorum) || wanted > keys.length))
    throw new Refusal(
      `A quorum of ${quorum} cannot be met: name so many witnesses with --witness, and a number from 1 on.`,
    );
  return keys.length === 0 ? null : { keys, quorum: wanted };
}

/** What somebody kept: checkpoints as the ledger signs them, and signed notes. */
export type Kept = { keptCheckpoints: Checkpoint[]; keptNotes: CheckpointNote[] };

/** Reads kept checkpoints, each a checkpoint, a signed note, or the answer of /api/ledger/checkpoint, of which the newest counts: it vouches for all before it. */
export async function readKept(places: readonly string[], folder: string): Promise<Kept> {
  const kept: Kept = { keptCheckpoints: [], keptNotes: [] };
  for (const place of places) {
    const text = await readText(place, folder);
    const note = parseCheckpointNote(text.replaceAll('\r\n', '\n'));
    if (note?.size === 0)
      throw new Refusal(
        `${place} is a checkpoint that covers no entry, so that everything agrees with it. Name another.`,
      );
    if (note) kept.keptNotes.push(note);
    else kept.keptCheckpoints.push(checkpointIn(text, place));
  }
  return kept;
}

function checkpointIn(text: string, place: string): Checkpoint {
  const value = parseJson(text, place, 'Name a checkpoint as it was kept.');
  const list: unknown = Object(value).checkpoints ?? [value];
  const checkpoint = checkpointSchema.array().safeParse(list).data?.at(-1);
  if (!checkpoint)
    throw new Refusal(
      `${place} holds no checkpoint. Name a checkpoint, or the answer of /api/ledger/checkpoint, as it was kept.`,
    );
  return checkpoint;
}

function parseJson(text: string, place: string, hint: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(`${place} is not JSON. ${hint}`);
  }
}

/** Who proves that one tree begins with another: sites, which are asked, and proofs in files or at other addresses. */
export async function readConsistencies(places: readonly string[], folder: string): Promise<AskConsistency> {
  const sites: URL[] = [];
  const proofs: ConsistencyProof[] = [];
  for (const place of places) {
    const url = urlOf(place);
    if (url?.pathname === '/') {
      sites.push(url);
      continue;
    }
    const parsed = consistencyProofSchema.safeParse(
      parseJson(await readText(place, folder), place, 'Name a proof of consistency.'),
    );
    if (!parsed.success)
      throw new Refusal(
        `${place} holds no proof of consistency. Name the answer of /api/ledger/consistency, or a site.`,
      );
    proofs.push(parsed.data);
  }
  return async (from, to) =>
    proofs.find((proof) => proof.from === from && proof.to === to) ?? (await askSites(sites, from, to));
}

async function askSites(sites: readonly URL[], from: number, to: number): Promise<ConsistencyProof | null> {
  for (const site of sites) {
    const parsed = consistencyProofSchema.safeParse(
      await fetchJson(new URL(`/api/ledger/consistency?from=${from}&to=${to}`, site)),
    );
    if (parsed.success) return parsed.data;
  }
  return null;
}
