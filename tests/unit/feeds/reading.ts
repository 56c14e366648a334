import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FeedFixture, FeedItem, FileFeed } from '@/lib/fixtures/schema';
import { isFailure } from '@/lib/platform/errors';

/** A file of our own making in tests/samples. */
export const sample = (name: string): Uint8Array => readFileSync(path.resolve(process.cwd(), 'tests/samples', name));

/** Where the real files lie that are too large for the project; tests on them are skipped where they are not. */
export const sharedFile = (name: string): string => path.resolve(process.cwd(), '../shared/data', name);

/** All that a feed finds in a text or in bytes, under the file name sample.csv, read once the seasons of the files were over unless told. */
export const read = (
  feed: FileFeed,
  content: string | Uint8Array,
  readAt = new Date('2026-11-20T12:00:00.000Z'),
): FeedItem[] =>
  [
    ...feed.read({
      name: 'sample.csv',
      bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
      readAt,
    }),
  ].flatMap((item) => (item.kind === 'step' ? [] : [item]));

export const fixturesOf = (items: readonly FeedItem[]): FeedFixture[] =>
  items.flatMap((item) => (item.kind === 'fixture' ? [item.fixture] : []));

export const rejectionsOf = (items: readonly FeedItem[]) =>
  items.flatMap((item) => (item.kind === 'rejected' ? [item] : []));

export const damagesOf = (items: readonly FeedItem[]) =>
  items.flatMap((item) => (item.kind === 'damaged' ? [item] : []));

/** The message of the Failure 'invalid' with which a feed refuses the content. */
export function refusal(feed: FileFeed, content: string | Uint8Array): string {
  try {
    read(feed, content);
  } catch (error) {
    if (isFailure(error, 'invalid')) return error.message;
    throw error;
  }
  throw new Error('the file was not refused');
}

/** The prices of a fixture as short lines: kind, line, selection, bookmaker, decimal odds, C for closing. */
export const quotes = (fixture: FeedFixture): string[] =>
  fixture.markets.flatMap(({ kind, lineHundredths, selections }) =>
    selections.flatMap(({ key, prices }) =>
      prices.map(
        ({ bookmakerReference, price, closing }) =>
          `${kind} ${lineHundredths} ${key} ${bookmakerReference} ${price ? price.oddsThousandths / 1000 : 'pulled'}${closing ? ' C' : ''}`,
      ),
    ),
  );
