import 'server-only';
import { sql } from 'kysely';
import type { z } from 'zod';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import type { ledgerCheckpointsSchema } from '../schema/calls';
import type { Checkpoint, LedgerKey } from '../schema/checkpoints';
import { ledgerFormat } from '../schema/entries';
import { findLog } from './log';

const ttlSeconds = 600;

/** The public keys of the record, the first one first. */
export async function readKeys(): Promise<LedgerKey[]> {
  const { rows } = await sql<{
    key: LedgerKey;
  }>`select public_key as key from signing_key order by public_key ->> 'validFrom', id`.execute(database());
  return rows.map(({ key }) => key);
}

/** The newest signed checkpoint, null while nothing has been signed. */
export async function readNewestCheckpoint(): Promise<Checkpoint | null> {
  const { rows } = await sql<{
    checkpoint: Checkpoint;
  }>`select checkpoint from ledger_checkpoint order by sequence desc limit 1`.execute(database());
  return rows[0]?.checkpoint ?? null;
}

/** The last checkpoint of each day (UTC), the latest day last; each day is looked up in the index from the one after it. */
async function readDailyCheckpoints(): Promise<Checkpoint[]> {
  const lastOfDay = sql`order by left(checkpoint ->> 'at', 10) desc, sequence desc limit 1`;
  const { rows } = await sql<{ checkpoint: Checkpoint }>`
    with recursive daily as (
      (select sequence, checkpoint from ledger_checkpoint ${lastOfDay})
      union all
      select earlier.sequence, earlier.checkpoint from daily cross join lateral (
        select sequence, checkpoint from ledger_checkpoint
        where left(checkpoint ->> 'at', 10) < left(daily.checkpoint ->> 'at', 10) ${lastOfDay}
      ) as earlier
    )
    select checkpoint from daily order by sequence
  `.execute(database());
  return rows.map(({ checkpoint }) => checkpoint);
}

/** Product §6: the public keys and the checkpoints, latest last. Ours: the latest of each day (UTC), for each vouches for all entries before it. */
export async function getCheckpoints(): Promise<z.infer<typeof ledgerCheckpointsSchema>> {
  return cached('ledger:checkpoints', ttlSeconds, ['ledger'], async () => {
    const log = await findLog();
    return {
      format: ledgerFormat,
      keys: await readKeys(),
      checkpoints: await readDailyCheckpoints(),
      log: log && {
        origin: log.origin,
        vkeys: log.vkeys,
        note: log.newest.note,
        cosignedNote: log.cosigned && log.cosigned.sequence < log.newest.sequence ? log.cosigned.note : null,
      },
    };
  });
}
