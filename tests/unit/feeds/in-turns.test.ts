import { inTurns, mostUnusable, untilUnusable } from '@/lib/feeds/in-turns';
import { linesByNumber } from '@/lib/feeds/file-text';
import type { FeedItem, FeedStep } from '@/lib/fixtures/schema';

const rejected = (line: number): FeedItem => ({ kind: 'rejected', line, column: null, reason: 'It cannot be read.' });
const step: FeedStep = { kind: 'step' };

async function read(items: Iterable<FeedItem | FeedStep> | AsyncIterable<FeedItem>): Promise<FeedItem[]> {
  const found: FeedItem[] = [];
  for await (const item of inTurns(items)) if (item.kind !== 'notice') found.push(item);
  return found;
}

function* junk(count: number, stepEvery = Number.POSITIVE_INFINITY): Generator<FeedItem | FeedStep> {
  for (let line = 1; line <= count; line += 1) {
    yield rejected(line);
    if (line % stepEvery === 0) yield step;
  }
}

describe('what a feed yields', () => {
  test('ends as damaged at items of which none can be used', async () => {
    let given = 0;
    const endless = (function* () {
      for (;;) yield rejected((given += 1));
    })();
    const found = await read(endless);
    expect(found).toHaveLength(mostUnusable + 1);
    expect(given).toBe(mostUnusable);
    expect(found.at(-1)).toMatchObject({ kind: 'damaged', line: mostUnusable });
  });

  test('of a source that is asked is not called a file', async () => {
    const asked = (async function* () {
      for (let line = 1; line <= mostUnusable; line += 1) yield rejected(line);
    })();
    expect((await read(asked)).at(-1)).toMatchObject({
      kind: 'damaged',
      reason: `Reading ended here: the ${mostUnusable} entries before cannot be used. Check the address of the source, and import again.`,
    });
  });

  test('goes on with what a feed tells after a part that ended', async () => {
    const items = (function* () {
      yield* untilUnusable(junk(mostUnusable * 2));
      yield rejected(1);
    })();
    const found = await read(items);
    expect(found).toHaveLength(mostUnusable + 2);
    expect(found.filter(({ kind }) => kind === 'damaged')).toHaveLength(1);
    expect(found.at(-1)).toEqual(rejected(1));
  });

  test('goes on where something between them was read', async () => {
    const found = await read(junk(mostUnusable * 3, mostUnusable - 1));
    expect(found).toHaveLength(mostUnusable * 3);
    expect(found.every(({ kind }) => kind === 'rejected')).toBe(true);
  });

  test.each([
    ['items', () => junk(450)],
    ['steps', () => Array.from({ length: 9 }, () => step)],
  ])('leaves a turn to others between %s', async (_, items) => {
    let turns = 0;
    let isOver = false;
    const others = () => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    setImmediate(others);
    await read(items());
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(8);
  });
});

test('lines are found by their numbers, whatever ends them', () => {
  const text = 'one\r\ntwo\n\nfour\rfive';
  expect([...linesByNumber(text, [5, 1, 3, 9])]).toEqual([
    [1, 'one'],
    [3, ''],
    [5, 'five'],
  ]);
  expect([...linesByNumber(text, [])]).toEqual([]);
});
