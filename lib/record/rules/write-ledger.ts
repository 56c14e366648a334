import { ledgerFormat, type LedgerFileFormat } from '../schema';
import { type LedgerRecord, type RecordKind } from '../schema/records';
import { canonicalJson } from './canonical';
import { csvHeader, csvRow } from './csv';

type Records = AsyncIterable<LedgerRecord> | Iterable<LedgerRecord>;

/**
 * Product §6: the text of an export, in pieces. The records come in their order: header, keys, checkpoints, notes, consistency proofs, head, proofs, entries.
 * JSON is one object with a list of each, NDJSON a record on each line, CSV the same with columns for reading.
 */
export function writeLedger(records: Records, format: LedgerFileFormat): AsyncGenerator<string> {
  return format === 'json' ? writeJson(records) : writeLines(records, format);
}

async function* writeLines(records: Records, format: 'ndjson' | 'csv'): AsyncGenerator<string> {
  if (format === 'csv') yield `${csvHeader}\r\n`;
  for await (const record of records) yield format === 'csv' ? `${csvRow(record)}\r\n` : `${canonicalJson(record)}\n`;
}

/** The lists of a JSON export in their order, by the kind of record in each. */
export const sections = { key: 'keys', checkpoint: 'checkpoints', note: 'notes', consistency: 'consistencies', head: 'heads', proof: 'proofs', entry: 'entries' } as const satisfies Record<Exclude<RecordKind, 'format'>, string>;

const sectionKinds = Object.keys(sections) as (keyof typeof sections)[];

async function* writeJson(records: Records): AsyncGenerator<string> {
  let section = -1;
  let isFirst = true;
  for await (const record of records) {
    if ('format' in record) {
      yield `{"format":${canonicalJson(ledgerFormat)},"portfolio":${canonicalJson(record.portfolio)}`;
      continue;
    }
    const wanted = sectionKinds.findIndex((kind) => kind in record);
    if (wanted < section) throw new Error(`The records of an export are out of order: header, ${Object.values(sections).join(', ')}.`);
    while (section < wanted) {
      yield openSection(section);
      section += 1;
      isFirst = true;
    }
    yield `${isFirst ? '\n' : ',\n'}${canonicalJson(Object.values(record)[0] ?? null)}`;
    isFirst = false;
  }
  for (; section < sectionKinds.length - 1; section += 1) yield openSection(section);
  yield ']}\n';
}

const openSection = (before: number) => `${before < 0 ? '' : ']'},\n"${sections[sectionKinds[before + 1] ?? 'key']}":[`;
