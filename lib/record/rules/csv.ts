import type { LedgerEntry, Publication } from '../schema/entries';
import type { LedgerRecord, RecordKind } from '../schema/records';
import { canonicalJson } from './canonical';
import { readRecordText, unreadable, type LedgerItem } from './records';

/** Ours (0014): the columns of the CSV export. The last holds the record as canonical JSON and is what counts; the others are for reading. */
export const csvColumns = [
  'record',
  'sequence',
  'portfolio sequence',
  'at',
  'kind',
  'portfolio',
  'tip',
  'fixtures',
  'selections',
  'odds',
  'stake',
  'outcome',
  'profit',
  'json',
] as const;

type Readable = {
  fixtures?: string;
  selections?: string;
  odds?: string;
  stake?: string;
  outcome?: string;
  profit?: string;
};

/** Integers of a smaller unit as a decimal number with all its places, 1 or more: 2100 thousandths are 2.100. */
export function decimalText(amount: bigint, places: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(places + 1, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function readablePublication({ legs, stakeHundredths, eachWay }: Publication): Readable {
  return {
    fixtures: legs.map(({ fixture }) => fixture).join(' + '),
    selections: legs.map(({ selection }) => selection.name).join(' + '),
    odds: legs.map(({ price }) => decimalText(BigInt(price.oddsThousandths), 3)).join(' x '),
    stake: `${decimalText(BigInt(stakeHundredths), 2)}${eachWay ? ' each-way' : ''}`,
  };
}

function readableContent(entry: LedgerEntry): Readable {
  if (entry.kind === 'tip-published') return readablePublication(entry.content);
  if (entry.kind === 'tip-opened') return readablePublication(entry.content.publication);
  if (entry.kind === 'tip-committed' || entry.kind === 'portfolios-counted') return {};
  const { outcome, profitMicrounits, legs } = entry.content;
  return {
    fixtures: legs.map(({ fixture }) => fixture).join(' + '),
    outcome,
    profit: decimalText(BigInt(profitMicrounits), 6),
  };
}

// A spreadsheet runs what begins like a formula; an apostrophe makes it text. Plain numbers are left as they are.
const disarmed = (cell: string) => (/^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell);

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

// What JSON says of a record begins with a brace and has quotes in it: nothing about it needs to be looked at.
const jsonCell = (json: string) => `"${json.replaceAll('"', '""')}"`;

/** A line of CSV (RFC 4180), without its end; no cell can run as a formula. */
export const csvLine = (cells: readonly string[]): string => cells.map((cell) => quoted(disarmed(cell))).join(',');

/** The first line of the CSV export, without its end. */
export const csvHeader = csvColumns.join(',');

const blanks = ','.repeat(csvColumns.length - 1);

function entryLine(entry: LedgerEntry, json: string): string {
  const { sequence, at, kind } = entry;
  const [portfolioSequence, portfolio, tip] =
    'tip' in entry ? [`${entry.portfolioSequence}`, entry.portfolio, entry.tip] : ['', '', ''];
  const { fixtures = '', selections = '', odds = '', stake = '', outcome = '', profit = '' } = readableContent(entry);
  const readable = csvLine([
    'entry',
    `${sequence}`,
    portfolioSequence,
    at,
    kind,
    portfolio,
    tip,
    fixtures,
    selections,
    odds,
    stake,
    outcome,
    profit,
  ]);
  return `${readable},${jsonCell(json)}`;
}

/** A record as a line of CSV (RFC 4180), without its end; no cell can run as a formula. */
export function csvRow(record: LedgerRecord): string {
  const json = canonicalJson(record);
  if ('entry' in record) return entryLine(record.entry, json);
  return `${'format' in record ? 'format' : (Object.keys(record)[0] ?? '')}${blanks}${jsonCell(json)}`;
}

/** The same line of a record of this kind from its canonical JSON. */
export function csvLineOf(kind: Exclude<RecordKind, 'format'>, text: string): string {
  const json = `{"${kind}":${text}}`;
  return kind === 'entry' ? entryLine(JSON.parse(text) as LedgerEntry, json) : `${kind}${blanks}${jsonCell(json)}`;
}

/** The record in a line of CSV; what the line shows for reading must be what the record says. */
export function readCsvRow(place: string, line: string): LedgerItem {
  const cells = cellsOf(line);
  if (cells?.length !== csvColumns.length)
    return unreadable(
      place,
      `does not have the ${csvColumns.length} columns of the ledger's CSV; download the export again.`,
    );
  const item = readRecordText(place, cells.at(-1) ?? '');
  if ('problem' in item) return item;
  const expected = csvRow(item.record);
  if (line === expected) return item;
  const wanted = cellsOf(expected) ?? [];
  const column = csvColumns.find((_, index) => cells[index] !== wanted[index]);
  return unreadable(
    place,
    `${column ? `the column "${column}" shows something else than the record in the column "json"` : 'is quoted in another way than the ledger does'}; the file was changed, so download it again.`,
  );
}

function cellsOf(line: string): string[] | null {
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (let more = true; more; ) {
    const match = cell.exec(line);
    if (!match) return null;
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    more = match[3] === ',';
  }
  return cells;
}
