import type { FeedFile, FeedItem, FileFeed } from '@/lib/fixtures/schema';
import { Failure } from '@/lib/platform/errors';
import { applyChange, newMarket, type StreamMarket } from './betfair/market';
import { readMessage } from './betfair/message';
import { raceOf } from './betfair/race';
import { readText } from './file-text';

/** The stream files of Betfair's historical data: races with every change of the last traded price, withdrawals, starting prices and winner. */
export const betfair: FileFeed = {
  name: 'betfair',
  title: 'Betfair historical stream',
  read: (file) => readFile(file),
};

function readFile(file: FeedFile): Iterable<FeedItem> {
  const lines = readText(file, 'utf-8').split('\n');
  if (!lines.some((line) => readMessage(line).ok)) {
    const number = lines.findIndex((line) => line.trim() !== '') + 1;
    throw new Failure(
      'invalid',
      `${file.name}: line ${number}, column 1: no line of the file is a change of a market, {"op":"mcm",…}; unpack the file, download it again or import it by the adapter it belongs to.`,
    );
  }
  return readItems(lines);
}

function* readItems(lines: readonly string[]): Generator<FeedItem> {
  const markets = new Map<string, StreamMarket>();
  for (const [index, text] of lines.entries()) {
    if (text.trim() === '') continue;
    const line = index + 1;
    const reading = readMessage(text);
    if (!reading.ok) {
      // A line that no line break ends is the last one of the file.
      if (line === lines.length)
        yield {
          kind: 'damaged',
          line,
          reason: `The file is cut off at line ${line}; download it again and import it once more.`,
        };
      else yield { kind: 'rejected', line, column: reading.column, reason: reading.problem };
      continue;
    }
    const { mc, pt } = reading.message;
    for (const change of mc ?? []) {
      const market = markets.get(change.id) ?? newMarket(change.id, line);
      markets.set(change.id, market);
      yield* applyChange(market, change, pt, line);
    }
  }
  for (const { definition, ...market } of markets.values()) {
    if (!definition) continue;
    const { line } = market;
    const reading = raceOf({ ...market, definition });
    if (!reading.ok) yield { kind: 'rejected', line, column: reading.column, reason: reading.problem };
    else yield { kind: 'race', line, fixture: reading.race };
    if (reading.ok && reading.notice) yield { kind: 'rejected', line, column: 'status', reason: reading.notice };
  }
}
