import pg from 'pg';
import { onOwnConnection } from './database';

type Query = (this: pg.Client, text: unknown, values?: unknown, callback?: unknown) => unknown;

/**
 * Has each connection of this test file parse and plan a statement once, where the program has the server do so for each call: for tests that repeat
 * the same statements very often. Call it after `onTestDatabase`.
 */
export function withPreparedStatements(): void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const query = prototype.query;
  const names = new Map<string, string>();

  beforeAll(async () => {
    await onOwnConnection((client) =>
      client.query(
        `do $$ begin execute format('alter database %I set plan_cache_mode = force_generic_plan', current_database()); end $$`,
      ),
    );
    prototype.query = function (text, values, callback) {
      if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
        return query.call(this, text, values, callback);
      const name = names.get(text) ?? `statement ${names.size}`;
      names.set(text, name);
      return query.call(this, { name, text }, values, callback);
    };
  });

  afterAll(() => {
    prototype.query = query;
  });
}
