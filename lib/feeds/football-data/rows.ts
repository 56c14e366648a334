import { parse } from 'csv-parse/sync';
import type { FeedItem, FeedStep } from '@/lib/fixtures/schema';
import { type Line, stepSize } from '../file-text';
import { type Header, isHeader, readHeader } from './header';

/** A row of values under a header; `line` counts from 1, `cells` are trimmed. */
export type Row = { kind: 'row'; line: number; header: Header; cells: readonly string[] };

/** How many rows in succession with a wrong number of values tell of seasons glued together. */
const gluedRows = 3;

/** The fields of a line, or null when its quotation marks do not pair; line by line, as a stray mark must not swallow the rest of the file. */
export function fieldsOf(text: string): string[] | null {
  try {
    const [fields] = parse(text, { relax_column_count: true });
    return fields ?? [];
  } catch {
    return null;
  }
}

/** The usable rows of the lines under a header, and what is wrong with the others; a further header line is obeyed and reported. */
export function* readRows(
  lines: Iterable<Line>,
  first: Header,
): Generator<Row | FeedStep | Exclude<FeedItem, { kind: 'fixture' }>> {
  let header = first;
  let empty = 0;
  let misfits: number[] = [];
  for (const { number: line, text, ended } of lines) {
    const fields = fieldsOf(text);
    if (fields && isHeader(fields)) {
      const reading = readHeader(fields);
      if (!reading.ok) {
        yield {
          kind: 'damaged',
          line,
          reason: `A second header stands here, and ${reading.problem}. The lines below it were not read.`,
        };
        return;
      }
      yield {
        kind: 'damaged',
        line,
        reason: 'A second header stands here, as if files had been joined; the rows below it were read by it.',
      };
      header = reading.header;
      misfits = [];
      continue;
    }
    if (fields?.every((field) => field.trim() === '')) {
      empty += 1;
      if (empty % stepSize === 0) yield { kind: 'step' };
      continue;
    }
    const row = fit(fields, header);
    if (row.ok) {
      yield { kind: 'row', line, header, cells: row.cells };
      misfits = [];
      continue;
    }
    yield { kind: 'rejected', line, column: null, reason: row.problem };
    misfits.push(line);
    if (misfits.length === gluedRows) {
      yield {
        kind: 'damaged',
        line: misfits[0] ?? line,
        reason: `${gluedRows} rows in succession do not fit the header: several seasons seem to be joined under one header. Import each season from its own file.`,
      };
    }
    if (row.short && !ended) {
      yield {
        kind: 'damaged',
        line,
        reason: `The file is cut off at line ${line}; download it again and import it once more.`,
      };
    }
  }
}

type Fit = { ok: true; cells: string[] } | { ok: false; short: boolean; problem: string };

function fit(fields: readonly string[] | null, { namedWidth, width }: Header): Fit {
  if (!fields)
    return {
      ok: false,
      short: true,
      problem: 'A quotation mark in the row is not paired; correct it and import the file again.',
    };
  const misfit = (expected: number) =>
    `The row has ${fields.length} values where the header has ${expected} columns, so they cannot be told apart.`;
  if (fields.length < namedWidth) return { ok: false, short: true, problem: misfit(namedWidth) };
  if (fields.length > width + 1) return { ok: false, short: false, problem: misfit(width) };
  const cells = fields.map((field) => field.trim());
  // Import formats: a trailing comma makes one field too many, but then it is empty.
  return cells[width] ? { ok: false, short: false, problem: misfit(width) } : { ok: true, cells };
}
