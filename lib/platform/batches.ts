import type { RawBuilder } from 'kysely';
import { database, isDatabaseTrouble } from './database';

/**
 * Goes through all rows there are, a batch at a time: `list` gives those after an id, in the order of their ids, and none where that was the last. A row
 * that nothing can be done with yet is passed over and keeps no other from its turn. Returns how many there were.
 */
export async function throughAll<R extends { id: number }>(
  list: (after: number) => Promise<readonly R[]>,
  act: (row: R) => Promise<void>,
): Promise<number> {
  let [count, after] = [0, 0];
  for (let rows = await list(after); rows.length > 0; rows = await list(after)) {
    for (const row of rows) {
      after = row.id;
      await act(row);
    }
    count += rows.length;
  }
  return count;
}

/**
 * As `throughAll`, where a row that fails, which `onFailed` is told, keeps no other from its turn: the first error is thrown once all have had theirs.
 * Trouble of the database, which is none of the row, ends it at once.
 */
export async function throughEach<R extends { id: number }>(
  list: (after: number) => Promise<readonly R[]>,
  act: (row: R) => Promise<void>,
  onFailed: (row: R, error: unknown) => void,
): Promise<number> {
  const failed: unknown[] = [];
  const count = await throughAll(list, async (row) => {
    try {
      await act(row);
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error;
      onFailed(row, error);
      failed.push(error);
    }
  });
  if (failed.length > 0) throw failed[0];
  return count;
}

/** Removes rows by a statement that takes at most `size` of them, again and again until it finds fewer or the moment has come (of `performance.now`). Returns how many it removed. */
export async function removeInPieces(
  remove: RawBuilder<unknown>,
  { size, until }: { size: number; until: number },
): Promise<number> {
  let removed = 0;
  for (let last = size; last >= size && performance.now() < until; removed += last) {
    const { numAffectedRows = 0n } = await remove.execute(database());
    last = Number(numAffectedRows);
  }
  return removed;
}
