import { csvHeader, readCsvRow } from './csv';
import { quoted, readRecord, readRecordText, unreadable, type LedgerItem } from './records';
import { sections } from './write-ledger';

/** Ours: the longest line of an NDJSON or CSV export, in characters; an entry of a hundred legs stays far below. */
export const maxLineLength = 1_000_000;

/** Ours: the longest JSON export that is read, in characters; NDJSON and CSV are read line by line and have no limit. */
export const maxJsonLength = 256 * 1024 * 1024;

const sniffedLength = 1000;
const isNdjson =
  /^\{"(?:format":"[^"]*","portfolio":(?:null|"[^"]*")\}|(?:key|checkpoint|consistency|head|proof|entry)":\{|note":")/;

class Undecodable extends Error {}

/** Product §6: the records of an export in JSON, NDJSON or CSV, told apart by their content, with what is wrong in their place. */
export async function* readLedger(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<LedgerItem> {
  const text = decode(bytes);
  try {
    let start = '';
    while (start.length < sniffedLength) {
      const { value, done } = await text.next();
      if (done) break;
      start += value;
    }
    const whole = concatenate(start, text);
    if (start.trim() === '') yield unreadable('The file', 'is empty; download it again.');
    else if (!start.startsWith('{')) yield* readCsv(whole);
    else if (isNdjson.test(start)) yield* readNdjson(whole);
    else yield* readJson(whole);
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error;
    yield unreadable('The file', 'is not UTF-8 text; download it again, and unpack it first if it is compressed.');
  }
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new Undecodable();
    }
  };
  for await (const chunk of bytes) yield decoded(chunk);
  yield decoded();
}

async function* concatenate(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

/** The lines of a text, without their ends; a line that is too long comes as null and is the last. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string | null> {
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    if (rest.length > maxLineLength) return yield null;
  }
  yield rest;
}

async function* readNdjson(text: AsyncIterable<string>): AsyncGenerator<LedgerItem> {
  let number = 0;
  for await (const line of linesOf(text)) {
    number += 1;
    if (line === null) return yield tooLong(number);
    if (line !== '') yield readRecordText(`Line ${number}`, line);
  }
}

async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<LedgerItem> {
  let number = 0;
  for await (const line of linesOf(text)) {
    number += 1;
    if (line === null) return yield tooLong(number);
    if (number === 1 && line !== csvHeader)
      return yield unreadable(
        'Line 1',
        `${quoted(line)} is neither the heading of the ledger's CSV nor JSON; name an export of the ledger.`,
      );
    if (number > 1 && line !== '') yield readCsvRow(`Line ${number}`, line);
  }
}

const tooLong = (line: number) =>
  unreadable(`Line ${line}`, 'is too long for a record of the ledger; download the export again.');

async function* readJson(text: AsyncIterable<string>): AsyncGenerator<LedgerItem> {
  const chunks: string[] = [];
  let length = 0;
  for await (const chunk of text) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxJsonLength)
      return yield unreadable(
        'The file',
        'is too large to be read as one JSON object; download the ledger as NDJSON or CSV.',
      );
  }
  const whole = chunks.join('');
  try {
    yield* readExport(JSON.parse(whole), whole);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const line = brokenLine(whole);
    yield unreadable(
      line === null ? 'The file' : `Line ${line}`,
      'is not JSON; the file was changed or breaks off, so download it again.',
    );
  }
}

// An export has a record on each line; JSON.parse does not always say where it failed.
function brokenLine(text: string): number | null {
  const lines = text.split(/\r?\n/);
  const index = lines.findIndex((line, position) => {
    if (position === 0 || !line.startsWith('{')) return false;
    try {
      return JSON.parse(line.replace(/,$/, '')) === null;
    } catch {
      return true;
    }
  });
  return index < 0 ? null : index + 1;
}

const members: readonly string[] = ['format', 'portfolio', ...Object.values(sections)];
// Exports from before 0045 are without these.
const laterSections: readonly string[] = ['notes', 'consistencies', 'heads'];

function* readExport(value: unknown, text: string): Generator<LedgerItem> {
  const parts = Object(value) as Record<string, unknown>;
  const stray = Object.keys(parts).find((name) => !members.includes(name));
  if (stray !== undefined)
    return yield unreadable(
      'The file',
      `has a member ${quoted(stray)} that no export of the ledger has; name an export of the ledger.`,
    );
  if (countMembers(value) !== text.match(/"(?:[^"\\]|\\.)*"(?=\s*:)/g)?.length)
    return yield unreadable(
      'The file',
      'names a member of an object twice, so it can be read in two ways; download it again.',
    );
  yield readRecord('The header', { format: parts.format, portfolio: parts.portfolio });
  for (const [kind, section] of Object.entries(sections)) {
    const list = parts[section] === undefined && laterSections.includes(section) ? [] : parts[section];
    if (!Array.isArray(list)) return yield unreadable('The file', `has no list of ${section}; download it again.`);
    for (const [index, item] of list.entries()) yield readRecord(`${section}[${index}]`, { [kind]: item });
  }
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((count: number, member) => count + countMembers(member), own);
}
