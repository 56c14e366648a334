import type { FeedFile, FeedItem, FeedStep, FileFeed } from '@/lib/fixtures/schema';
import { Failure } from '@/lib/platform/errors';
import { applyChange, newMarket, type StreamMarket } from './betfair/market';
import { readMessage } from './betfair/message';
import { raceOf } from './betfair/race';
import { type Line, linesOf, readText, stepSize } from './file-text';
import { untilUnusable } from './in-turns';

/** The stream files of Betfair's historical data: races with every change of the last traded price, withdrawals, starting prices and winner. */
export const betfair: FileFeed = {
  name: 'betfair',
  title: 'Betfair historical stream',
  read: (file) => readFile(file),
};

/** Ours: in how many lines one must be a change of a market; what has none there is no stream. */
const linesThatTell = 1_000;

function readFile(file: FeedFile): Iterable<FeedItem | FeedStep> {
  const text = readText(file, 'utf-8');
  let first: number | null = null;
  let read = 0;
  for (const line of linesOf(text)) {
    if (readMessage(line.text).ok) return readItems(linesOf(text));
    first ??= line.number;
    read += 1;
    if (read === linesThatTell) break;
  }
  throw new Failure(
    'invalid',
    `${file.name}: line ${first ?? 1}, column 1: ${read === linesThatTell ? 'none of a thousand lines from here' : 'no line of the file'} is a change of a market, {"op":"mcm",…}; unpack the file, download it again or import it by the adapter it belongs to.`,
  );
}

function* readItems(lines: Iterable<Line>): Generator<FeedItem | FeedStep> {
  const markets = new Map<string, StreamMarket>();
  yield* untilUnusable(readChanges(lines, markets));
  for (const { definition, ...market } of markets.values()) {
    if (!definition) continue;
    const { line } = market;
    const reading = raceOf({ ...market, definition });
    if (!reading.ok) yield { kind: 'rejected', line, column: reading.column, reason: reading.problem };
    else yield { kind: 'race', line, fixture: reading.race };
    if (reading.ok && reading.notice) yield { kind: 'rejected', line, column: 'status', reason: reading.notice };
  }
}

function* readChanges(lines: Iterable<Line>, markets: Map<string, StreamMarket>): Generator<FeedItem | FeedStep> {
  let messages = 0;
  for (const { number: line, text, ended } of lines) {
    const reading = readMessage(text);
    if (!reading.ok) {
      // A line that no line break ends is the last one of the file.
      if (!ended)
        yield {
          kind: 'damaged',
          line,
          reason: `The file is cut off at line ${line}; download it again and import it once more.`,
        };
      else yield { kind: 'rejected', line, column: reading.column, reason: reading.problem };
      continue;
    }
    messages += 1;
    if (messages % stepSize === 0) yield { kind: 'step' };
    const { mc, pt } = reading.message;
    for (const change of mc ?? []) {
      const market = markets.get(change.id) ?? newMarket(change.id, line);
      markets.set(change.id, market);
      yield* applyChange(market, change, pt, line);
    }
  }
}
