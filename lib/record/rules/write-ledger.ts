import { ledgerFormat, type LedgerFileFormat, type LedgerRecord } from '../schema';
import { canonicalJson } from './canonical';
import { csvHeader, csvRow } from './csv';

type Records = AsyncIterable<LedgerRecord> | Iterable<LedgerRecord>;

/**
 * Product §6: the text of an export, in pieces. The records come in their order: header, keys, checkpoints, proofs, entries.
 * JSON is one object with a list of each, NDJSON a record on each line, CSV the same with columns for reading.
 */
export function writeLedger(records: Records, format: LedgerFileFormat): AsyncGenerator<string> {
  return format === 'json' ? writeJson(records) : writeLines(records, format);
}

async function* writeLines(records: Records, format: 'ndjson' | 'csv'): AsyncGenerator<string> {
  if (format === 'csv') yield `${csvHeader}\r\n`;
  for await (const record of records) yield format === 'csv' ? `${csvRow(record)}\r\n` : `${canonicalJson(record)}\n`;
}

const sections = ['keys', 'checkpoints', 'proofs', 'entries'] as const;

async function* writeJson(records: Records): AsyncGenerator<string> {
  let section = -1;
  let isFirst = true;
  for await (const record of records) {
    if ('format' in record) {
      yield `{"format":${canonicalJson(ledgerFormat)},"portfolio":${canonicalJson(record.portfolio)}`;
      continue;
    }
    const [wanted, value] = 'key' in record ? ([0, record.key] as const) : 'checkpoint' in record ? ([1, record.checkpoint] as const) : 'proof' in record ? ([2, record.proof] as const) : ([3, record.entry] as const);
    if (wanted < section) throw new Error('The records of an export are out of order: header, keys, checkpoints, proofs, entries.');
    while (section < wanted) {
      yield openSection(section);
      section += 1;
      isFirst = true;
    }
    yield `${isFirst ? '\n' : ',\n'}${canonicalJson(value)}`;
    isFirst = false;
  }
  for (; section < sections.length - 1; section += 1) yield openSection(section);
  yield ']}\n';
}

const openSection = (before: number) => `${before < 0 ? '' : ']'},\n"${sections[before + 1]}":[`;
