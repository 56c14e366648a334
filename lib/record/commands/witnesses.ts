import 'server-only';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { singleton } from '@/lib/platform/singleton';
import { readConsistency } from '../queries/proofs';
import { parseNote, isSignatureOf, type NoteKey, parseSignatures, parseWitnessKey, signatureLine } from '../rules/note';
import { writeAddCheckpoint } from '../rules/witness';

const timeoutMilliseconds = 5_000;
// A witness that failed is left alone for so long, so that it does not hold up the jobs that come after.
const restMilliseconds = 5 * 60_000;
const longestAnswer = 65_536;

type Signed = { sequence: number; note: string };

type Witness = { vkey: string; url: string };

const rests = singleton('witness-rests', () => new Map<string, number>());

/** C2SP tlog-witness: asks the configured witnesses to cosign the newest note, side by side and each within its time, and keeps what they sign; returns how many did. One that failed is asked again after five minutes. Safe to run twice or at once. */
export async function askWitnesses(): Promise<number> {
  const witnesses = env().TIPLEDGER_WITNESSES;
  if (witnesses.length === 0) return 0;
  const { rows } = await sql<Signed>`select sequence, note from ledger_note order by sequence desc limit 1`.execute(
    database(),
  );
  const [newest] = rows;
  if (!newest) return 0;
  const awake = witnesses.filter(({ vkey }) => (rests.get(vkey) ?? 0) <= performance.now());
  const asked = await Promise.all(awake.map((witness) => askWitness(witness, newest)));
  const signed = asked.filter(Boolean).length;
  if (signed > 0) await forget(['ledger']);
  return signed;
}

async function askWitness(witness: Witness, newest: Signed): Promise<boolean> {
  try {
    const key = await parseWitnessKey(witness.vkey);
    if (!key) throw new Error('Its key in TIPLEDGER_WITNESSES is none of Ed25519, or has another id.');
    const { rows } = await sql<{
      old: number | null;
    }>`select max(sequence) as old from ledger_cosignature where witness = ${witness.vkey}`.execute(database());
    const old = rows[0]?.old ?? 0;
    if (old === newest.sequence) return false;
    const line = await cosignatureOf(witness.url, key, newest, old);
    await sql`insert into ledger_cosignature (sequence, witness, line) values (${newest.sequence}, ${witness.vkey}, ${line}) on conflict do nothing`.execute(
      database(),
    );
    return true;
  } catch (error) {
    rests.set(witness.vkey, performance.now() + restMilliseconds);
    log.warn({
      event: 'witness_refused',
      witness: witness.vkey,
      sequence: newest.sequence,
      why: error instanceof Error ? error.message : String(error),
    });
    return false;
  }
}

/** The line by which the witness cosigns; a witness that cosigned another size than was thought says so, and is asked once more from there. */
async function cosignatureOf(url: string, key: NoteKey, newest: Signed, old: number): Promise<string> {
  const first = await post(url, newest, old);
  const told =
    first.status === 409 && first.mediaType === 'text/x.tlog.size'
      ? /^(0|[1-9]\d{0,9})\n$/.exec(first.text)?.[1]
      : undefined;
  if (told !== undefined && Number(told) > newest.sequence)
    throw new Error(`It cosigned ${told} entries already, more than the ${newest.sequence} that are signed here.`);
  const { status, text } = told === undefined || Number(told) === old ? first : await post(url, newest, Number(told));
  if (status !== 200) throw new Error(`It answers with ${status}: ${text.slice(0, 200).trim()}`);
  const body = parseNote(newest.note)?.text ?? '';
  for (const signature of parseSignatures(text) ?? [])
    if (await isSignatureOf(body, signature, key)) return signatureLine(signature);
  throw new Error('It answers with no valid cosignature of its key.');
}

async function post(
  url: string,
  { sequence, note }: Signed,
  old: number,
): Promise<{ status: number; mediaType: string; text: string }> {
  const body = writeAddCheckpoint(await readConsistency(old, sequence), note);
  const response = await fetch(`${url.replace(/\/$/, '')}/add-checkpoint`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > longestAnswer) throw new Error('Its answer does not end.');
  }
  return {
    status: response.status,
    mediaType: (response.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '',
    text,
  };
}
