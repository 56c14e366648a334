import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FeedItem, FeedNotice, FeedStep } from '@/lib/fixtures/schema';

type Read = FeedItem | FeedNotice | FeedStep;

const turnSize = 50;

/** Ours (0078): how many items in succession that cannot be used end a reading: what follows is nothing that the feed reads. */
export const mostUnusable = 500;

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
    if (item.kind === 'notice') continue;
    unusable = item.kind === 'rejected' || item.kind === 'damaged' ? unusable + 1 : 0;
    if (unusable === mostUnusable && 'line' in item) {
      yield {
        kind: 'damaged',
        line: item.line,
        reason: `Reading ended here: the ${mostUnusable} entries before cannot be used. Check that this is a file of this feed, and download it again.`,
      };
      return;
    }
  }
}
