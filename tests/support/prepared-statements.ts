import { createHash } from 'node:crypto';
import pg from 'pg';
import { onOwnConnection } from './database';

type Query = (this: pg.Client, text: unknown, values?: unknown, callback?: unknown) => unknown;

const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const made = createHash('md5').update(text).digest('hex');
  names.set(text, made);
  return made;
}

/**
 * Has each connection of this test file parse and plan a statement once, where the program has the server do so for each call: for tests that repeat
 * the same statements very often. Call it after `onTestDatabase`.
 */
export function withPreparedStatements(): void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const query = prototype.query;

  beforeAll(async () => {
    await onOwnConnection((client) =>
      client.query(
        `do $$ begin execute format('alter database %I set plan_cache_mode = force_generic_plan', current_database()); end $$`,
      ),
    );
    prototype.query = function (text, values, callback) {
      const isPrepared = typeof text === 'string' && Array.isArray(values) && values.length > 0;
      return query.call(this, isPrepared ? { name: nameOf(text), text } : text, values, callback);
    };
  });

  afterAll(() => {
    prototype.query = query;
  });
}
