import { callAddress } from '@/lib/calls';
import {
  parseCheckpointNote,
  problemBesideSeen,
  problemOfTip,
  readLedgerPages,
  reportSentences,
  tipSentences,
  verifyLedger,
} from '@/lib/record/rules';
import { type TipProof, tipProofSchema } from '@/lib/record/schema';
import { askConsistency, readSeen } from './watch-record';

/** What verification found: whether all holds, the sentences that say so, the verdict first, and of a tip that holds the proof that was checked. */
export type Finding = { ok: boolean; sentences: string[]; proof?: TipProof };

// The pages of the ledger stand beside its checkpoint.
const ledgerFolder = callAddress('GET /ledger/checkpoint').replace(/checkpoint$/, '');

type Running = { signal: AbortSignal; onProgress: (entries: number) => void };

/** Product §6: reads the whole ledger and verifies it here; throws an Error for people when it cannot be read. */
export async function verifyWholeLedger({ signal, onProgress }: Running): Promise<Finding> {
  const items = readLedgerPages((call) => fetchJson(`${ledgerFolder}${call}`, signal));
  const kept = parseCheckpointNote((await readSeen())?.note ?? '');
  const report = await verifyLedger(items, {
    keptNotes: kept ? [kept] : [],
    onProgress: (entries) => {
      signal.throwIfAborted();
      onProgress(entries);
    },
  });
  return { ok: report.ok, sentences: reportSentences(report) };
}

/** Product §6: reads the entries of one tip and verifies them up to the signed checkpoint; throws an Error for people when they cannot be read. */
export async function verifyTip(tip: string, { signal, onProgress }: Running): Promise<Finding> {
  const answer = tipProofSchema.safeParse(
    await fetchJson(callAddress('GET /ledger/tip/{tipReference}', { params: { tipReference: tip } }), signal),
  );
  if (!answer.success || answer.data.tip !== tip)
    return {
      ok: false,
      sentences: ['Not verified. The site does not answer with the entries of this tip and their proofs.'],
    };
  const proof = answer.data;
  const seen = await readSeen();
  const problem = (await problemOfTip(proof)) ?? (seen && (await problemBesideSeen(seen, proof, askConsistency)));
  signal.throwIfAborted();
  onProgress(proof.entries.length);
  const comparedWith = (seen && parseCheckpointNote(seen.note)?.size) ?? null;
  const sentences = tipSentences(proof, problem, comparedWith);
  return problem ? { ok: false, sentences } : { ok: true, sentences, proof };
}

async function fetchJson(address: string, signal: AbortSignal): Promise<unknown> {
  const response = await reach(address, signal);
  if (!response.ok)
    throw new Error(
      `The site answers ${address} with the status ${response.status}. Wait a minute, then verify again.`,
    );
  try {
    return await response.json();
  } catch (cause) {
    signal.throwIfAborted();
    throw new Error(`The site’s answer to ${address} broke off or is not JSON. Verify again.`, { cause });
  }
}

async function reach(address: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(address, { signal, headers: { accept: 'application/json' } });
  } catch (cause) {
    signal.throwIfAborted();
    throw new Error('The site cannot be reached. Check your connection, then verify again.', { cause });
  }
}
