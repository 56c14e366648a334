import pg from 'pg';

/** How many questions a body asks the database. */
export async function countQueries(body: () => Promise<unknown>): Promise<number> {
  const asked = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await body();
    return asked.mock.calls.length;
  } finally {
    asked.mockRestore();
  }
}
