import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FeedItem, FeedNotice, FeedStep } from '@/lib/fixtures/schema';

type Read = FeedItem | FeedNotice | FeedStep;

const turnSize = 50;

/** Ours (0078): how many items in succession that cannot be used end a reading: what follows is nothing that the feed reads. */
export const mostUnusable = 500;

const unusableAfter = (item: Read, before: number) =>
  item.kind === 'rejected' || item.kind === 'damaged' ? before + 1 : item.kind === 'notice' ? before : 0;

const ended = (line: number, advice: string): FeedItem => ({
  kind: 'damaged',
  line,
  reason: `Reading ended here: the ${mostUnusable} entries before cannot be used. ${advice}`,
});

const fileAdvice = 'Check that this is a file of this feed, and download it again.';
const sourceAdvice = 'Check the address of the source, and import again.';

/** The same end for a part of a file: what a feed tells after it, of what it had read before, still comes. */
export function* untilUnusable(part: Iterable<FeedItem | FeedStep>): Generator<FeedItem | FeedStep> {
  let unusable = 0;
  for (const item of part) {
    unusable = unusableAfter(item, unusable);
    const isEnd = unusable === mostUnusable && 'line' in item;
    // Before the last one, or whoever counts the whole would end there, too.
    if (isEnd) yield { kind: 'step' };
    yield item;
    if (!isEnd) continue;
    yield ended(item.line, fileAdvice);
    return;
  }
}

/**
 * Ours (0078): what a feed yields. Whoever waits for this thread meanwhile has a turn in between; a reading that comes upon nothing but what cannot be
 * used ends there as damaged.
 */
export async function* inTurns(reading: Iterable<Read> | AsyncIterable<Read>): AsyncGenerator<FeedItem | FeedNotice> {
  let read = 0;
  let unusable = 0;
  for await (const item of reading) {
    read += 1;
    if (read % turnSize === 0 || item.kind === 'step') await nextTurn();
    if (item.kind !== 'step') yield item;
    unusable = unusableAfter(item, unusable);
    if (unusable === mostUnusable && 'line' in item) {
      yield ended(item.line, Symbol.iterator in reading ? fileAdvice : sourceAdvice);
      return;
    }
  }
}
