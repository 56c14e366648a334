import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { checkpointText, logKeyOf } from '../rules/checkpoint-note';
import { signNoteText, writeNote } from '../rules/note';
import type { Checkpoint } from '../schema';

/** C2SP tlog-checkpoint: signs the checkpoint as a note, without further lines, under the name that the log was first given, and keeps it; the caller holds the end of the ledger. */
export async function signNote({ sequence, root, keyId }: Checkpoint, privateKey: CryptoKey): Promise<void> {
  const { rows } = await sql<{ x: string | null; kept: string | null }>`
    select (select public_key ->> 'x' from signing_key where id = ${keyId}) as x, (select origin from ledger_note order by sequence limit 1) as kept
  `.execute(database());
  const { x = null, kept = null } = rows[0] ?? {};
  if (x === null) throw new Error(`The key ${keyId} signs the ledger and is not among the published keys.`);
  const origin = kept ?? env().logOrigin;
  if (origin !== env().logOrigin) log.warn({ event: 'log_origin_kept', kept: origin, setting: env().logOrigin });
  const text = checkpointText({ origin, size: sequence, root });
  const note = writeNote({ text, signatures: [await signNoteText(text, await logKeyOf(origin, x), privateKey)] });
  await sql`insert into ledger_note (sequence, origin, note) values (${sequence}, ${origin}, ${note})`.execute(database());
}
