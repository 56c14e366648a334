import type { FeedFile } from '@/lib/fixtures/schema';
import { Failure } from '@/lib/platform/errors';

/** Ours: the largest file that a feed reads, in bytes; every season of every division together stays far below it. */
export const maxFileBytes = 64 * 1024 * 1024;

/** Ours: after how many lines of which nothing is told a feed says that it reads on. */
export const stepSize = 200;

/** The encodings a feed's text may have: UTF-8 alone, or windows-1252 where the bytes are not UTF-8. */
export type FileEncoding = 'utf-8' | 'utf-8-or-windows-1252';

/** The line and the column, both from 1, of an offset in a text. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** The lines, from 1, of offsets that ascend. */
export function linesAt(text: string, offsets: readonly number[]): number[] {
  const breaks = /\r\n|\n|\r/g;
  let line = 1;
  let next = breaks.exec(text);
  return offsets.map((offset) => {
    for (; next && next.index < offset; next = breaks.exec(text)) line += 1;
    return line;
  });
}

/** A line of the file with its number and whether a line break ends it. */
export type Line = { number: number; text: string; ended: boolean };

/** The lines of a text, empty ones left out; each keeps its number. */
export function* linesOf(text: string): Generator<Line> {
  for (const line of allLines(text)) if (line.text.trim() !== '') yield line;
}

function* allLines(text: string): Generator<Line> {
  const breaks = /\r\n|\n|\r/g;
  let start = 0;
  for (let number = 1; start < text.length; number += 1) {
    const found = breaks.exec(text);
    yield { number, text: text.slice(start, found?.index ?? text.length), ended: found !== null };
    start = found ? breaks.lastIndex : text.length;
  }
}

/** The lines of these numbers, by number; a number that the text does not reach is absent. */
export function linesByNumber(text: string, numbers: Iterable<number>): Map<number, string> {
  const wanted = new Set(numbers);
  const last = Math.max(0, ...wanted);
  const found = new Map<number, string>();
  if (last === 0) return found;
  for (const line of allLines(text)) {
    if (wanted.has(line.number)) found.set(line.number, line.text);
    if (line.number === last) break;
  }
  return found;
}

/** Text of a file as it is repeated in a message: short, in quotation marks, without control characters. */
export function quoted(text: string): string {
  const clean = text.replace(/\p{C}/gu, '�');
  return `"${clean.length > 40 ? `${clean.slice(0, 40)}…` : clean}"`;
}

/** Refuses, with a Failure 'invalid', a file of more bytes than a feed reads. */
export function refuseTooLarge(name: string, size: number): void {
  if (size > maxFileBytes)
    throw new Failure(
      'invalid',
      `${name}: the file is larger than ${maxFileBytes / 1024 / 1024} MiB; split it and import the parts.`,
    );
}

/** The text of a file without its byte order mark; throws a Failure 'invalid' when it is too large, empty, binary or in another encoding. */
export function readText(file: FeedFile, encoding: FileEncoding): string {
  refuseTooLarge(file.name, file.bytes.length);
  const loose = new TextDecoder().decode(file.bytes);
  refuseBinary(file.name, loose);
  const text = decode(file, encoding, loose);
  if (text.trim() === '') throw new Failure('invalid', `${file.name}: the file is empty; download it again.`);
  return text;
}

function decode(file: FeedFile, encoding: FileEncoding, loose: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file.bytes);
  } catch {
    if (encoding === 'utf-8-or-windows-1252') return decodeWindows1252(file.bytes);
    const { line, column } = positionAt(loose, loose.indexOf('\uFFFD'));
    throw new Failure(
      'invalid',
      `${file.name}: line ${line}, column ${column}: the text is not UTF-8; save the file as UTF-8.`,
    );
  }
}

const control = /[^\P{Cc}\s\x7f-\x9f]/u;

function refuseBinary(name: string, text: string): void {
  const first = text.search(control);
  if (first < 0) return;
  const controls = text.match(new RegExp(control, 'gu'))?.length ?? 0;
  if (!text.includes('\0') && controls * 100 < text.length) return;
  const { line, column } = positionAt(text, first);
  throw new Failure(
    'invalid',
    `${name}: line ${line}, column ${column}: the file is binary, not text; unpack or export it as plain text in UTF-8.`,
  );
}

const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

// TextDecoder('windows-1252') of Node 20 gives latin-1: 0x92 becomes a control character instead of an apostrophe.
function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => windows1252.charAt(character.charCodeAt(0) - 0x80))
    .replace(/^ï»¿/, '');
}
