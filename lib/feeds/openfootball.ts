import type { FeedFile, FeedItem, FileFeed } from '@/lib/fixtures/schema';
import { Failure } from '@/lib/platform/errors';
import { linesAt, positionAt, quoted, readText } from './file-text';
import { scanJson } from './json-text';
import { type NamedSeason, readLeagueName } from './openfootball/leagues';
import { isObject, readMatch } from './openfootball/match';

/** The files of openfootball's football.json: the matches and results of one season of one league, without prices. */
export const openfootball: FileFeed = {
  name: 'openfootball',
  title: 'openfootball football.json',
  read: (file) => readFile(file),
};

function readFile(file: FeedFile): Iterable<FeedItem> {
  const text = readText(file, 'utf-8');
  const { fault, elements } = scanJson(text, 'matches');
  const refuse = (offset: number, problem: string): never => {
    const { line, column } = positionAt(text, Math.max(offset, 0));
    throw new Failure('invalid', `${file.name}: line ${line}, column ${column}: ${problem}`);
  };
  if (fault?.offset === text.length)
    refuse(text.length, `the file is cut off where ${fault.expected} should stand; download it again.`);
  if (fault)
    refuse(
      fault.offset,
      `the text is not JSON here, where ${fault.expected} should stand; correct it, download the file again or import it by the adapter it belongs to.`,
    );
  const root: unknown = JSON.parse(text);
  if (!isObject(root)) return refuse(0, 'the file must be an object with name and matches; download it again.');
  const { name, matches, rounds } = root;
  if (matches === undefined && rounds !== undefined) {
    return refuse(
      text.search(/"rounds"\s*:/),
      'this is the older format with rounds; download the file in the one with matches.',
    );
  }
  if (!Array.isArray(matches))
    return refuse(text.search(/"matches"\s*:/), 'the file lacks the list of matches; download it again.');
  if (matches.length === 0)
    return refuse(text.search(/"matches"\s*:/), 'the list of matches is empty; there is nothing to import.');
  const season = typeof name === 'string' ? readLeagueName(name) : null;
  if (!season) {
    const given = typeof name === 'string' ? quoted(name) : 'it';
    return refuse(
      text.search(/"name"\s*:/),
      `name must tell the league and the season, such as "English Premier League 2025/26", but ${given} does not.`,
    );
  }
  return readItems(matches, linesAt(text, elements), season);
}

function* readItems(matches: readonly unknown[], lines: readonly number[], season: NamedSeason): Generator<FeedItem> {
  for (const [index, match] of matches.entries()) {
    const line = lines[index] ?? 1;
    const reading = readMatch(match, season);
    if (!reading.ok) {
      yield { kind: 'rejected', line, column: reading.column, reason: `Match ${index + 1}: ${reading.problem}` };
      continue;
    }
    yield { kind: 'fixture', line, fixture: reading.fixture };
    for (const { column, reason } of reading.notices)
      yield { kind: 'rejected', line, column, reason: `Match ${index + 1}: ${reason}` };
  }
}
