import { parseCheckpointNote } from '@/lib/record/rules';
import { consistencyProofSchema, ledgerCheckpointsSchema } from '@/lib/record/schema';
import { fetchJson, readText, Refusal } from '../verify/reading';
import type { Signer, WitnessState } from './state';

/** What a look at a log found: whether it goes on from what was seen before, and the sentence that says so. */
export type Look = { agrees: boolean; sentence: string };

/**
 * Product §14: asks a Tipledger for its newest checkpoint and for what leads there from the last one that was cosigned, and cosigns it. One
 * that does not go on from there is told, and never cosigned.
 */
export async function lookAt(site: string, signer: Signer, state: WitnessState): Promise<Look> {
  try {
    const text = await readText(new URL('/api/log/checkpoint', site).href, '');
    const checkpoint = parseCheckpointNote(text);
    if (!checkpoint) return { agrees: false, sentence: `${site} does not answer with a signed checkpoint.` };
    const { origin, size, root } = checkpoint;
    if (!(await state.isSignedByKnown(checkpoint))) {
      const { log, keys } = ledgerCheckpointsSchema.parse(await fetchJson(new URL('/api/ledger/checkpoint', site)));
      if (state.knows(origin)) await state.followRotation(origin, keys);
      else for (const vkey of log?.vkeys ?? []) if (vkey.startsWith(`${origin}+`)) await state.trust(vkey);
    }
    const latest = state.latestOf(origin);
    if (latest && size < latest.size)
      return {
        agrees: false,
        sentence: `${origin} shows ${size} entries, fewer than the ${latest.size} that were seen before: its newest checkpoint was taken back, or what is served is old.`,
      };
    const from = latest?.size ?? 0;
    const path =
      from === 0 || from === size
        ? []
        : consistencyProofSchema.parse(
            await fetchJson(new URL(`/api/ledger/consistency?from=${from}&to=${size}`, site)),
          ).path;
    const { decision } = await state.cosign(
      { old: from, path, checkpoint },
      text,
      signer,
      Math.floor(Date.now() / 1000),
    );
    if (decision.status === 200)
      return { agrees: true, sentence: `${origin}: ${size} entries with the root ${root}, going on from ${from}.` };
    const why =
      'why' in decision
        ? decision.why
        : `The tree of ${decision.size} entries is another than the one that was seen before.`;
    return {
      agrees: false,
      sentence: `${origin} DOES NOT GO ON FROM WHAT WAS SEEN BEFORE. ${why} Keep this checkpoint beside the one in the state file:\n${text}`,
    };
  } catch (error) {
    if (error instanceof Refusal) return { agrees: false, sentence: error.message };
    throw error;
  }
}
