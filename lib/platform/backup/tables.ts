import type pg from 'pg';
import type { CopiedTable, Manifest, Summary } from './schema';

/** The tables of the migrator itself, which a restored database gets from its own. */
const ownTables = ['migration', 'migration_lock'];

/** Sets how values are written and read in COPY, and takes every limit of time away, until the transaction ends. */
export async function prepareCopy(client: pg.Client): Promise<void> {
  await client.query(`
    set local client_encoding = 'UTF8'; set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
    set local extra_float_digits = 1; set local bytea_output = 'hex'; set local statement_timeout = 0; set local lock_timeout = '10s'; set local idle_in_transaction_session_timeout = 0`);
  const { rows } = await client.query(`select from pg_settings where name = 'transaction_timeout'`);
  if (rows.length > 0) await client.query('set local transaction_timeout = 0');
}

/** Every table of the schema that holds what the program keeps, with its columns in their order; computed columns are left out. */
export async function listTables(client: pg.Client): Promise<CopiedTable[]> {
  const { rows } = await client.query<CopiedTable>(
    `select relname as name, array_agg(attname::text order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname <> all($1) group by relname order by relname`,
    [ownTables],
  );
  return rows;
}

/** The migrations that the database has been through; null where it has no such table. */
export async function listApplied(client: pg.Client): Promise<Manifest['migrations'] | null> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('migration') is not null as there`,
  );
  if (!found[0]?.there) return null;
  return (await client.query<Manifest['migrations'][number]>('select name, checksum from migration order by name'))
    .rows;
}

/** Where the sequences behind the numbered columns stand. */
export async function listSequences(client: pg.Client): Promise<Summary['sequences']> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(`
    select relname as table, attname as column, pg_get_serial_sequence(quote_ident(relname), attname) as sequence
    from pg_class join pg_attribute on attrelid = pg_class.oid where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and attidentity <> '' and not attisdropped order by 1, 2`);
  const found: Summary['sequences'] = [];
  for (const { table, column, sequence } of rows) {
    const { rows: stands } = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${sequence}`,
    );
    if (stands[0]) found.push({ table, column, ...stands[0] });
  }
  return found;
}
