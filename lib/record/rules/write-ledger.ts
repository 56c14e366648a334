import { ledgerFormat, type LedgerFileFormat } from '../schema/entries';
import { type LedgerRecord, type RecordKind } from '../schema/records';
import { canonicalJson } from './canonical';
import { csvHeader, csvLineOf, csvRow } from './csv';

/** Records of one kind that are written already: canonical JSON by lines, and for CSV its lines. */
export type WrittenRecords = { kind: Exclude<RecordKind, 'format'>; text: string };

type Item = LedgerRecord | WrittenRecords;
type Items = AsyncIterable<Item> | Iterable<Item>;

const isWritten = (item: Item): item is WrittenRecords => 'text' in item;

/** Records of one kind from the canonical JSON of each, as an export of this format holds them; nothing of them is read, save for the columns of CSV. */
export function writeRecords(
  kind: WrittenRecords['kind'],
  texts: readonly string[],
  format: LedgerFileFormat,
): WrittenRecords {
  if (format === 'json') return { kind, text: texts.join(',\n') };
  const lines =
    format === 'ndjson'
      ? texts.map((text) => `{"${kind}":${text}}\n`)
      : texts.map((text) => `${csvLineOf(kind, text)}\r\n`);
  return { kind, text: lines.join('') };
}

/**
 * Product §6: the text of an export, in pieces. The records come in their order: header, keys, checkpoints, notes, consistency proofs, head, proofs, entries.
 * JSON is one object with a list of each, NDJSON a record on each line, CSV the same with columns for reading.
 */
export function writeLedger(items: Items, format: LedgerFileFormat): AsyncGenerator<string> {
  return format === 'json' ? writeJson(items) : writeLines(items, format);
}

async function* writeLines(items: Items, format: 'ndjson' | 'csv'): AsyncGenerator<string> {
  if (format === 'csv') yield `${csvHeader}\r\n`;
  for await (const item of items) {
    if (isWritten(item)) yield item.text;
    else yield format === 'csv' ? `${csvRow(item)}\r\n` : `${canonicalJson(item)}\n`;
  }
}

/** The lists of a JSON export in their order, by the kind of record in each. */
export const sections = {
  key: 'keys',
  checkpoint: 'checkpoints',
  note: 'notes',
  consistency: 'consistencies',
  head: 'heads',
  proof: 'proofs',
  entry: 'entries',
} as const satisfies Record<Exclude<RecordKind, 'format'>, string>;

const sectionKinds = Object.keys(sections) as (keyof typeof sections)[];

async function* writeJson(items: Items): AsyncGenerator<string> {
  let section = -1;
  let isFirst = true;
  for await (const item of items) {
    if ('format' in item) {
      yield `{"format":${canonicalJson(ledgerFormat)},"portfolio":${canonicalJson(item.portfolio)}`;
      continue;
    }
    const wanted = sectionKinds.findIndex((kind) => (isWritten(item) ? item.kind === kind : kind in item));
    if (wanted < section)
      throw new Error(`The records of an export are out of order: header, ${Object.values(sections).join(', ')}.`);
    while (section < wanted) {
      yield openSection(section);
      section += 1;
      isFirst = true;
    }
    const text = isWritten(item) ? item.text : canonicalJson(Object.values(item)[0] ?? null);
    yield `${isFirst ? '\n' : ',\n'}${text}`;
    isFirst = false;
  }
  for (; section < sectionKinds.length - 1; section += 1) yield openSection(section);
  yield ']}\n';
}

const openSection = (before: number) => `${before < 0 ? '' : ']'},\n"${sections[sectionKinds[before + 1] ?? 'key']}":[`;
