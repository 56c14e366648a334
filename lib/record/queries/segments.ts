import 'server-only';
import { sql } from 'kysely';
import { database, isInTransaction } from '@/lib/platform/database';
import { singleton } from '@/lib/platform/singleton';
import { TaggedEntries } from '@/lib/platform/tagged-entries';
import { writeRecords, type WrittenRecords } from '../rules/write-ledger';
import type { LedgerFileFormat } from '../schema/entries';

const segmentEntries = 250;
const mostKept = 32 * 1024 * 1024;

// No entry ever changes, so what is full is good for as long as it is kept.
const kept = () =>
  singleton('record-segments', () => ({
    entries: new TaggedEntries<{ text: string; tags: string[] }>({
      maxSize: mostKept,
      sizeCalculation: ({ text }) => text.length,
    }),
  }));

/** The entries of the whole record up to `last` as an export of this format holds them, so many at a time, each read when it is asked for; those that are full are kept. */
export async function* readSegments(last: number, format: LedgerFileFormat): AsyncGenerator<WrittenRecords> {
  for (let from = 0; from < last; from += segmentEntries)
    yield await readSegment(from, Math.min(from + segmentEntries, last), format);
}

async function readSegment(after: number, upTo: number, format: LedgerFileFormat): Promise<WrittenRecords> {
  const key = `${format}:${after}`;
  const isFull = upTo - after === segmentEntries;
  const found = isFull ? kept().entries.get(key) : undefined;
  if (found) return { kind: 'entry', text: found.text };
  const { rows } = await sql<{
    entry: string;
  }>`select entry from ledger_entry where sequence > ${after} and sequence <= ${upTo} order by sequence`.execute(
    database(),
  );
  const written = writeRecords(
    'entry',
    rows.map(({ entry }) => entry),
    format,
  );
  if (isFull && !isInTransaction()) kept().entries.set(key, { text: written.text, tags: [] });
  return written;
}
