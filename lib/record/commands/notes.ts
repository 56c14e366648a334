import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { singleton } from '@/lib/platform/singleton';
import { checkpointText, logKeyOf } from '../rules/checkpoint-note';
import { signNoteText, writeNote } from '../rules/note';
import type { Checkpoint } from '../schema/checkpoints';
import type { SigningKey } from './keys';

const warned = singleton('log-origin-warned', () => new Set<string>());

function warnOnce(kept: string, setting: string): void {
  if (warned.has(kept)) return;
  warned.add(kept);
  log.warn({ event: 'log_origin_kept', kept, setting });
}

/** C2SP tlog-checkpoint: signs the checkpoint as a note, without further lines, under the name that the log was first given, and keeps it; the caller holds the end of the ledger. */
export async function signNote({ sequence, root }: Checkpoint, { x, privateKey }: SigningKey): Promise<void> {
  const { rows } = await sql<{ origin: string }>`select origin from ledger_note order by sequence limit 1`.execute(
    database(),
  );
  const { logOrigin } = env();
  const origin = rows[0]?.origin ?? logOrigin;
  if (origin !== logOrigin) warnOnce(origin, logOrigin);
  const text = checkpointText({ origin, size: sequence, root });
  const note = writeNote({ text, signatures: [await signNoteText(text, await logKeyOf(origin, x), privateKey)] });
  await sql`insert into ledger_note (sequence, origin, note) values (${sequence}, ${origin}, ${note})`.execute(
    database(),
  );
}
