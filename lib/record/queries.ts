import 'server-only';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Viewer } from '@/lib/access/schema';
import { cached, reads } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import { readProofs } from './queries/proofs';
import { writeLedger } from './rules/write-ledger';
import {
  type Checkpoint,
  type ledgerCheckpointsSchema,
  type LedgerEntry,
  type LedgerFileFormat,
  ledgerFormat,
  type LedgerKey,
  type ledgerPageSchema,
  type LedgerRecord,
  maxPageEntries,
} from './schema';
import type { TipProof } from './schema/calls';

const ttlSeconds = 600;

type EntryRow = { entry: string };

const entryOf = ({ entry }: EntryRow) => JSON.parse(entry) as LedgerEntry;

/** Product §6: the entries after the sequence `after` in order, at most `limit`; everybody may read every one. */
export async function listEntries({ after, limit }: { after: number; limit: number }): Promise<z.infer<typeof ledgerPageSchema>> {
  const { rows } = await sql<EntryRow>`
    select entry from ledger_entry where sequence > ${after}::bigint order by sequence limit ${limit + 1}
  `.execute(database());
  const items = rows.slice(0, limit).map(entryOf);
  return { items, next: rows.length > limit ? (items.at(-1)?.sequence ?? null) : null };
}

/** The newest entries, newest first, and how many the ledger has in all. */
export async function listNewestEntries(limit: number): Promise<{ items: LedgerEntry[]; total: number }> {
  return cached(`ledger:newest:${limit}`, ttlSeconds, ['ledger'], async () => {
    const { rows } = await sql<EntryRow>`select entry from ledger_entry order by sequence desc limit ${limit}`.execute(database());
    const items = rows.map(entryOf);
    return { items, total: items[0]?.sequence ?? 0 };
  });
}

/** Product §6: the public keys and the checkpoints, latest last. Ours: the latest of each day (UTC), for each vouches for all entries before it. */
export async function getCheckpoints(): Promise<z.infer<typeof ledgerCheckpointsSchema>> {
  return cached('ledger:checkpoints', ttlSeconds, ['ledger'], async () => {
    const keys = await sql<{ key: LedgerKey }>`select public_key as key from signing_key order by public_key ->> 'validFrom', id`.execute(database());
    const signed = await sql<{ checkpoint: Checkpoint }>`
      select checkpoint from (
        select distinct on (left(checkpoint ->> 'at', 10)) sequence, checkpoint from ledger_checkpoint order by left(checkpoint ->> 'at', 10), sequence desc) as daily
      order by sequence
    `.execute(database());
    return { format: ledgerFormat, keys: keys.rows.map(({ key }) => key), checkpoints: signed.rows.map(({ checkpoint }) => checkpoint) };
  });
}

/**
 * Product §6: the text of an export in pieces, of the whole ledger or of the portfolio named; read page by page as it is
 * taken, up to the last entry there is when it begins. Failure 'missing' for a portfolio that the viewer may not see.
 */
export async function exportLedger(viewer: Viewer, format: LedgerFileFormat, portfolio: string | null = null): Promise<AsyncGenerator<string>> {
  if (portfolio !== null) await getPortfolio(viewer, portfolio);
  return writeLedger(readRecords(portfolio), format);
}

async function* readRecords(portfolio: string | null): AsyncGenerator<LedgerRecord> {
  const { keys, checkpoints } = await getCheckpoints();
  const { rows } = await sql<{ sequence: number }>`select sequence from ledger_head`.execute(database());
  yield { format: ledgerFormat, portfolio };
  for (const key of keys) yield { key };
  for (const checkpoint of checkpoints) yield { checkpoint };
  const size = checkpoints.at(-1)?.sequence ?? 0;
  if (portfolio !== null) {
    for await (const page of readPages(portfolio, size)) {
      for (const proof of await readProofs(page.map(({ sequence }) => sequence), size)) yield { proof };
    }
  }
  for await (const page of readPages(portfolio, rows[0]?.sequence ?? 0)) for (const entry of page) yield { entry };
}

async function* readPages(portfolio: string | null, upTo: number): AsyncGenerator<LedgerEntry[]> {
  const [place, within] = portfolio === null ? [sql.ref('sequence'), sql``] : [sql.ref('portfolio_sequence'), sql`and portfolio = ${portfolio}`];
  for (let after = 0; ; ) {
    const { rows } = await sql<EntryRow & { place: number }>`
      select entry, ${place} as place from ledger_entry where ${place} > ${after} and sequence <= ${upTo} ${within} order by ${place} limit ${maxPageEntries}
    `.execute(database());
    if (rows.length > 0) yield rows.map(entryOf);
    if (rows.length < maxPageEntries) return;
    after = rows.at(-1)?.place ?? upTo;
  }
}

/** Product §6: every entry of a tip, each with its proof under the newest checkpoint where that covers it; Failure 'missing' for a tip that is not on the record. */
export async function proveTip(tip: string): Promise<TipProof> {
  reads(['ledger'], ttlSeconds);
  const { rows } = await sql<EntryRow>`select entry from ledger_entry where tip = ${tip} order by sequence`.execute(database());
  if (rows.length === 0) throw new Failure('missing', 'There is no such tip on the record. Take its reference from the list of entries.');
  const { keys, checkpoints } = await getCheckpoints();
  const checkpoint = checkpoints.at(-1) ?? null;
  const entries = rows.map(entryOf);
  const size = checkpoint?.sequence ?? 0;
  const covered = entries.filter(({ sequence }) => sequence <= size);
  const proofs = new Map((await readProofs(covered.map(({ sequence }) => sequence), size)).map((proof) => [proof.sequence, proof]));
  return { format: ledgerFormat, tip, keys, checkpoint, entries: entries.map((entry) => ({ entry, proof: proofs.get(entry.sequence) ?? null })) };
}
