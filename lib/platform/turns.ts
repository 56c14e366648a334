import { setImmediate as nextTurn } from 'node:timers/promises';

const slice = 25;

/** What `make` gives for each value, in order; made a few at a time, so that whoever waits for this thread meanwhile, such as the holder of a lock, has a turn in between. */
export async function mapInTurns<A, B>(values: readonly A[], make: (value: A, index: number) => B): Promise<B[]> {
  const made: B[] = [];
  for (const [index, value] of values.entries()) {
    if (index > 0 && index % slice === 0) await nextTurn();
    made.push(make(value, index));
  }
  return made;
}
