import 'server-only';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Viewer } from '@/lib/access/schema';
import { cached, reads } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import { writeTlogProofs } from '../rules/tlog-proof';
import { writeLedger, writeRecords, type WrittenRecords } from '../rules/write-ledger';
import type { ledgerPageSchema, logKeysSchema, TipProof } from '../schema/calls';
import type { ConsistencyProof, InclusionProof } from '../schema/checkpoints';
import {
  type CountedEntry,
  type LedgerEntry,
  type LedgerFileFormat,
  ledgerFormat,
  type TipEntry,
} from '../schema/entries';
import type { LedgerRecord, PortfolioHead } from '../schema/records';
import { getCheckpoints, readKeys, readNewestCheckpoint } from './checkpoints';
import { withHeads } from './heads';
import { findLog, getLog, type StoredNote } from './log';
import { readConsistency, readProofs } from './proofs';
import { readSegments } from './segments';

const ttlSeconds = 600;

// So many are read and written between two readings of the socket.
const pageEntries = 250;

type EntryRow = { entry: string };

const entryOf = ({ entry }: EntryRow) => JSON.parse(entry) as LedgerEntry;

/** Product §6: the entries after the sequence `after` in order, at most `limit`; everybody may read every one. */
export async function listEntries({
  after,
  limit,
}: {
  after: number;
  limit: number;
}): Promise<z.infer<typeof ledgerPageSchema>> {
  const { rows } = await sql<EntryRow>`
    select entry from ledger_entry where sequence > ${after}::bigint order by sequence limit ${limit + 1}
  `.execute(database());
  const items = rows.slice(0, limit).map(entryOf);
  return { items, next: rows.length > limit ? (items.at(-1)?.sequence ?? null) : null };
}

/** The newest entries, newest first, and how many the ledger has in all. */
export async function listNewestEntries(limit: number): Promise<{ items: LedgerEntry[]; total: number }> {
  return cached(`ledger:newest:${limit}`, ttlSeconds, ['ledger'], async () => {
    const { rows } = await sql<EntryRow>`select entry from ledger_entry order by sequence desc limit ${limit}`.execute(
      database(),
    );
    const items = rows.map(entryOf);
    return { items, total: items[0]?.sequence ?? 0 };
  });
}

/**
 * Product §6: the text of an export in pieces, of the whole ledger or of the portfolio named; read page by page as it is
 * taken, up to the last entry there is when it begins. Failure 'missing' for a portfolio that the viewer may not see.
 */
export async function exportLedger(
  viewer: Viewer,
  format: LedgerFileFormat,
  portfolio: string | null = null,
): Promise<AsyncGenerator<string>> {
  if (portfolio !== null) await getPortfolio(viewer, portfolio);
  return writeLedger(readRecords(portfolio, format), format);
}

async function* readRecords(
  portfolio: string | null,
  format: LedgerFileFormat,
): AsyncGenerator<LedgerRecord | WrittenRecords> {
  const { keys, checkpoints } = await getCheckpoints();
  const { rows } = await sql<{ sequence: number }>`select sequence from ledger_head`.execute(database());
  yield { format: ledgerFormat, portfolio };
  for (const key of keys) yield { key };
  for (const checkpoint of checkpoints) yield { checkpoint };
  const newest = checkpoints.at(-1);
  const size = newest?.sequence ?? 0;
  const notes = (await readNotes()).filter(({ sequence }) => sequence <= size);
  for (const { note } of notes) yield { note };
  if (portfolio !== null) {
    for (const { sequence } of notes) if (sequence < size) yield { consistency: await readConsistency(sequence, size) };
    const head = newest?.counted ? await readHead(portfolio, size) : null;
    if (head) yield { head };
    for await (const page of readPages(portfolio, size)) {
      const proofs = await readProofs(
        page.map(({ sequence }) => sequence),
        size,
      );
      yield writeRecords(
        'proof',
        proofs.map((proof) => canonicalProof(proof)),
        format,
      );
    }
  }
  const last = rows[0]?.sequence ?? 0;
  if (portfolio === null) yield* readSegments(last, format);
  else
    for await (const page of readPages(portfolio, last))
      yield writeRecords(
        'entry',
        page.map(({ entry }) => entry),
        format,
      );
}

// Its members in canonical order, of which none needs escaping.
const canonicalProof = ({ path, sequence, size }: InclusionProof) => JSON.stringify({ path, sequence, size });

/** The newest signed note, and before it the newest that a witness cosigned where that is another. */
async function readNotes(): Promise<StoredNote[]> {
  const log = await findLog();
  return log
    ? [...(log.cosigned && log.cosigned.sequence < log.newest.sequence ? [log.cosigned] : []), log.newest]
    : [];
}

/** How far the portfolio had come when the entry before the checkpoint of this size counted it; null when it had no entry by then. */
async function readHead(portfolio: string, size: number): Promise<PortfolioHead | null> {
  const { rows } = await sql<EntryRow>`select entry from ledger_entry where sequence = ${size}`.execute(database());
  const counted = rows[0] && (JSON.parse(rows[0].entry) as CountedEntry);
  const [proof] = await readProofs([size], size);
  return withHeads(size, async (heads) => {
    const [head, place] = [heads.headOf(portfolio), await heads.placeOf(portfolio)];
    return counted && proof && head && place ? { counted, proof, ...head, place } : null;
  });
}

type StoredEntry = EntryRow & { sequence: number };

async function* readPages(portfolio: string, upTo: number): AsyncGenerator<StoredEntry[]> {
  for (let after = 0; ; ) {
    const { rows } = await sql<StoredEntry & { place: number }>`
      select entry, sequence, portfolio_sequence as place from ledger_entry
      where portfolio = ${portfolio} and portfolio_sequence > ${after} and sequence <= ${upTo} order by portfolio_sequence limit ${pageEntries}
    `.execute(database());
    if (rows.length > 0) yield rows;
    if (rows.length < pageEntries) return;
    after = rows.at(-1)?.place ?? upTo;
  }
}

/** Product §6: every entry of a tip, each with its proof under the newest checkpoint where that covers it; Failure 'missing' for a tip that is not on the record. */
export async function proveTip(tip: string): Promise<TipProof> {
  reads(['ledger'], ttlSeconds);
  const { rows } = await sql<EntryRow>`select entry from ledger_entry where tip = ${tip} order by sequence`.execute(
    database(),
  );
  if (rows.length === 0)
    throw new Failure('missing', 'There is no such tip on the record. Take its reference from the list of entries.');
  const checkpoint = await readNewestCheckpoint();
  const entries = rows.map((row) => entryOf(row) as TipEntry);
  const size = checkpoint?.sequence ?? 0;
  const covered = entries.filter(({ sequence }) => sequence <= size);
  const proofs = new Map(
    (
      await readProofs(
        covered.map(({ sequence }) => sequence),
        size,
      )
    ).map((proof) => [proof.sequence, proof]),
  );
  return {
    format: ledgerFormat,
    tip,
    keys: await readKeys(),
    checkpoint,
    entries: entries.map((entry) => ({ entry, proof: proofs.get(entry.sequence) ?? null })),
  };
}

/** Product §14: the proof that the tree over the first `to` entries begins with the one over the first `from`; Failure 'invalid' for sizes in the wrong order, 'missing' for one that there is not. */
export async function getConsistency({ from, to }: { from: number; to: number }): Promise<ConsistencyProof> {
  if (from > to)
    throw new Failure(
      'invalid',
      'The request is not valid. from must not be more than to. Correct it and send it again.',
      { from: 'must not be more than to' },
    );
  const { rows } = await sql<{ sequence: number }>`select sequence from ledger_head`.execute(database());
  if (to < 1 || to > (rows[0]?.sequence ?? 0))
    throw new Failure('missing', 'The record has no such size yet. Take one from a checkpoint.');
  return readConsistency(from, to);
}

/** Product §14: the name of the log and its keys; Failure 'missing' while nothing has been signed. */
export async function getLogKeys(): Promise<z.infer<typeof logKeysSchema>> {
  const log = await findLog();
  return {
    origin: log?.origin ?? null,
    size: log?.newest.sequence ?? null,
    keys: await readKeys(),
    vkeys: log?.vkeys ?? [],
  };
}

const noProof = 'There is no such entry under a signed checkpoint yet. One is signed within a minute of a new entry.';

/** C2SP tlog-proof: the proof of one entry under the newest note that covers it, the newest cosigned one before a newer; Failure 'missing' when none does. */
export async function getEntryProof(sequence: number): Promise<string> {
  const { rows } =
    await sql<StoredEntry>`select entry, sequence from ledger_entry where sequence = ${sequence}`.execute(database());
  return (await proofsOf(rows)) || missing();
}

/** C2SP tlog-proof: the proofs of every entry of a tip, one after another; Failure 'missing' when none of them is under a signed note. */
export async function getTipProofs(tip: string): Promise<string> {
  const { rows } =
    await sql<StoredEntry>`select entry, sequence from ledger_entry where tip = ${tip} order by sequence`.execute(
      database(),
    );
  return (await proofsOf(rows)) || missing();
}

/** C2SP tlog-proof: the proofs of every entry of a portfolio, one after another, in pieces; Failure 'missing' for a portfolio that the viewer may not see or without a signed entry. */
export async function exportPortfolioProofs(viewer: Viewer, portfolio: string): Promise<AsyncGenerator<string>> {
  await getPortfolio(viewer, portfolio);
  const { newest } = await getLog();
  const { rows } =
    await sql`select 1 from ledger_entry where portfolio = ${portfolio} and sequence <= ${newest.sequence} limit 1`.execute(
      database(),
    );
  if (rows.length === 0) missing();
  return readPortfolioProofs(portfolio, newest.sequence);
}

async function* readPortfolioProofs(portfolio: string, size: number): AsyncGenerator<string> {
  for await (const page of readPages(portfolio, size)) yield proofsOf(page);
}

function missing(): never {
  throw new Failure('missing', noProof);
}

async function proofsOf(entries: readonly StoredEntry[]): Promise<string> {
  const notes = await readNotes();
  const last = entries.at(-1)?.sequence ?? 0;
  const chosen = notes.find(({ sequence }) => sequence >= last) ?? notes.at(-1);
  if (!chosen) return '';
  const covered = entries.filter(({ sequence }) => sequence <= chosen.sequence);
  const proofs = await readProofs(
    covered.map(({ sequence }) => sequence),
    chosen.sequence,
  );
  return writeTlogProofs(
    covered.flatMap(({ entry }, index) => (proofs[index] ? [{ text: entry, proof: proofs[index] }] : [])),
    chosen.note,
  );
}
