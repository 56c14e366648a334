import 'server-only';
import { sql } from 'kysely';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { bytesOfHex } from '../rules/canonical';
import { logKeyOf } from '../rules/checkpoint-note';
import { vkeyOf } from '../rules/note';
import { hasTile, nodeLevelOf, parseTilePath, tileWidth } from '../rules/tiles';
import type { LedgerKey } from '../schema/checkpoints';

const ttlSeconds = 600;

/** A checkpoint as a signed note with the cosignatures that it has by now, and the size of its tree. */
export type StoredNote = { sequence: number; note: string; cosigned: boolean };

/** The log as others know it: its name, its keys with that name, oldest first, and its newest signed note, beside the newest that a witness cosigned. */
export type Log = { origin: string; vkeys: string[]; newest: StoredNote; cosigned: StoredNote | null };

/** Product §14: the log with its newest signed notes; null while none has been signed. */
export async function findLog(): Promise<Log | null> {
  return cached('ledger:log', ttlSeconds, ['ledger'], async () => {
    const { rows } = await sql<{ origin: string; sequence: number; note: string; lines: string | null }>`
      select origin, sequence, note, (select string_agg(line, '' order by witness) from ledger_cosignature where ledger_cosignature.sequence = ledger_note.sequence) as lines
      from ledger_note where sequence in ((select max(sequence) from ledger_note), (select max(sequence) from ledger_cosignature)) order by sequence desc
    `.execute(database());
    const [first] = rows;
    if (!first) return null;
    const notes = rows.map(({ sequence, note, lines }) => ({
      sequence,
      note: note + (lines ?? ''),
      cosigned: lines !== null,
    }));
    const keys = await sql<{
      x: string;
    }>`select public_key ->> 'x' as x from signing_key order by public_key ->> 'validFrom', id`.execute(database());
    const vkeys = await Promise.all(
      keys.rows.map(async ({ x }) => vkeyOf(await logKeyOf(first.origin, x as LedgerKey['x']))),
    );
    return {
      origin: first.origin,
      vkeys,
      newest: notes[0] as StoredNote,
      cosigned: notes.find(({ cosigned }) => cosigned) ?? null,
    };
  });
}

/** C2SP tlog-tiles: the newest checkpoint as a signed note; Failure 'missing' while none has been signed. */
export async function getLogCheckpoint(): Promise<string> {
  return (await getLog()).newest.note;
}

/** Product §14: the log with its newest signed notes; Failure 'missing' while none has been signed. */
export async function getLog(): Promise<Log> {
  const log = await findLog();
  if (!log)
    throw new Failure('missing', 'No checkpoint has been signed yet. One is signed within a minute of a new entry.');
  return log;
}

/** C2SP tlog-tiles: the bytes of the tile or bundle of entries at this path below `tile/`; Failure 'missing' for what the signed tree does not have. */
export async function getTile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const place = parseTilePath(path);
  const log = place && (await findLog());
  if (!log || !hasTile(place, log.newest.sequence))
    throw new Failure(
      'missing',
      'The log has no such tile. See c2sp.org/tlog-tiles for the paths, and take the size from the checkpoint.',
    );
  const first = tileWidth * place.index;
  if (place.level === 'entries') {
    const { rows } = await sql<{
      hash: string;
    }>`select hash from ledger_entry where sequence > ${first} and sequence <= ${first + place.width} order by sequence`.execute(
      database(),
    );
    return bytesOfHex(rows.map(({ hash }) => `0020${hash}`).join(''));
  }
  const { rows } = await sql<{ hash: string }>`
    select hash from ledger_node where level = ${nodeLevelOf(place)} and index >= ${first} and index < ${first + place.width} order by index
  `.execute(database());
  return bytesOfHex(rows.map(({ hash }) => hash).join(''));
}
