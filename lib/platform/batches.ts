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
