import type { FeedFile, FeedItem, FeedStep, FileFeed } from '@/lib/fixtures/schema';
import { Failure } from '@/lib/platform/errors';
import { type Line, linesOf, readText } from './file-text';
import { readFixture } from './football-data/fixture';
import { type Header, readHeader } from './football-data/header';
import { fieldsOf, readRows } from './football-data/rows';

/** The files of football-data.co.uk: seasons of the main divisions, coming matches (fixtures.csv) and the extra leagues, with results and prices. */
export const footballData: FileFeed = {
  name: 'football-data',
  title: 'football-data.co.uk',
  read: (file) => readFile(file),
};

function readFile(file: FeedFile): Iterable<FeedItem | FeedStep> {
  const lines = linesOf(readText(file, 'utf-8-or-windows-1252'));
  const top = lines.next();
  const reading = top.done ? null : readHeader(fieldsOf(top.value.text) ?? [top.value.text]);
  if (top.done || !reading) throw new Failure('invalid', `${file.name}: the file is empty; download it again.`);
  if (!reading.ok)
    throw new Failure(
      'invalid',
      `${file.name}: line ${top.value.number}, column ${reading.column}: ${reading.problem}.`,
    );
  const first = lines.next();
  if (first.done)
    throw new Failure(
      'invalid',
      `${file.name}: line ${top.value.number}: there are no rows under the header; download the file again.`,
    );
  return readItems(first.value, lines, reading.header, file.readAt);
}

function* readItems(first: Line, rest: Iterable<Line>, header: Header, readAt: Date): Generator<FeedItem | FeedStep> {
  const lines = (function* () {
    yield first;
    yield* rest;
  })();
  for (const row of readRows(lines, header)) {
    if (row.kind !== 'row') {
      yield row;
      continue;
    }
    const reading = readFixture(row, readAt);
    if (!reading.ok) {
      yield { kind: 'rejected', line: row.line, column: reading.column, reason: reading.problem };
      continue;
    }
    yield { kind: 'fixture', line: row.line, fixture: reading.fixture };
    for (const { column, reason } of reading.notices) yield { kind: 'rejected', line: row.line, column, reason };
  }
}
