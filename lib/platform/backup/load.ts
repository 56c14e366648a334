import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { withinTransactionOf } from '../database';
import {
  applyMigration,
  listMigrations,
  listNewer,
  type Migration,
  prepareMigrations,
  readMigrations,
  whyUnfit,
} from '../migrations';
import { grantPrivileges, readPrivileges } from '../privileges';
import { onCopyConnection } from './connection';
import { readBackupFile } from './read-file';
import { BackupProblem, type Manifest, type Summary } from './schema';
import { listTables, prepareCopy } from './tables';

/** What a restored backup held, and how many migrations it lacked. */
export type Restored = { manifest: Manifest; summary: Summary; newer: string[]; keys: Map<string, string> };

type Options = {
  folder: string;
  /** The role that the program connects as, where it is another than the owner's. */
  programRole?: string;
  /** Whether what the database holds may be lost. */
  replace: boolean;
  /** Looks at what was restored, in its transaction, with the private keys that the file held; what it throws undoes everything. */
  verify(told: Restored): Promise<void>;
};

const name = (text: string) => pg.escapeIdentifier(text);

/**
 * Puts a backup into the database of the owner's URL: its schema, its rows and then the migrations that it lacks, with every guard as the
 * migrations made it, in one transaction, so that a file that is not whole leaves everything as it was. Throws a BackupProblem that says
 * why for a database that holds something, where a program is at work, and for a file that is broken or newer.
 */
export async function restore(url: string, file: string, options: Options): Promise<Restored> {
  return onCopyConnection(url, 'begin', async (client) => {
    await prepareCopy(client);
    const unfit = await whyUnfit(client);
    if (unfit !== null) throw new BackupProblem(unfit);
    await makeRoom(client, options);
    const known = await readMigrations(options.folder);
    const told: Partial<Restored> = {};
    const keys = new Map<string, string>();
    let undress: Dressing = { constraints: [], triggers: [] };
    await readBackupFile(file, {
      begin: async (manifest) => {
        told.manifest = manifest;
        await prepareMigrations(client);
        for (const migration of migrationsOf(manifest, known)) await applyMigration(client, migration);
        await checkTables(client, manifest);
        undress = await takeOff(client);
        await client.query(`truncate ${manifest.tables.map((table) => name(table.name)).join(', ')}`);
      },
      takeTable: async (table, bytes) => {
        const into = client.query(from(`copy ${name(table.name)} (${table.columns.map(name).join(', ')}) from stdin`));
        await pipeline(Readable.from(bytes, { objectMode: false }), into).catch((error: unknown) =>
          Promise.reject(refusedRow(table.name, error)),
        );
      },
      takeKey: async (key, text) => void keys.set(key, text),
      end: async (summary) => void (told.summary = summary),
    });
    const { manifest, summary } = told;
    if (!manifest || !summary) throw new BackupProblem(`${file} has no end.`);
    await setSequences(client, summary);
    await countRows(client, summary);
    await putOn(client, undress);
    const applied = new Set(manifest.migrations.map((migration) => migration.name));
    const missing = known.filter((migration) => !applied.has(migration.name));
    for (const migration of missing) await applyMigration(client, migration);
    if (options.programRole !== undefined)
      await grantPrivileges(client, options.programRole, await readPrivileges(options.folder));
    // Whoever held a job is not at work on this copy.
    await client.query('update job_run set leased_until = null where leased_until is not null');
    const restored = { manifest, summary, newer: missing.map((migration) => migration.name), keys };
    await withinTransactionOf(client, () => options.verify(restored));
    return restored;
  });
}

function refusedRow(table: string, error: unknown): unknown {
  const code = String((error as { code?: unknown }).code);
  // Classes 22 and 23: values and constraints.
  return /^2[23]/.test(code)
    ? new BackupProblem(
        `A row of ${table} in the file cannot be stored (${(error as Error).message}). Nothing was restored.`,
      )
    : error;
}

async function makeRoom(client: pg.Client, { folder, replace }: Options): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select relname::text as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e') order by relname`);
  if (rows.length === 0) return;
  const known = new Set(Object.keys(await readPrivileges(folder)));
  const foreign = rows.filter((table) => !known.has(table.name)).map((table) => table.name);
  if (foreign.length > 0) throw new BackupProblem(await whyForeign(client, folder, foreign));
  const held = await describe(client, new Set(rows.map((table) => table.name)));
  if (!replace)
    throw new BackupProblem(
      `The database is not empty: it holds ${held}. Add --replace to lose all of that and put the backup in its place.`,
    );
  const hasJobs = rows.some((table) => table.name === 'job_run');
  const atWork = hasJobs
    ? await client.query(
        `select from job_run where greatest(started_at, finished_at) between clock_timestamp() - interval '20 seconds' and clock_timestamp() limit 1`,
      )
    : null;
  if (atWork?.rows.length)
    throw new BackupProblem(
      'A program is at work on this database: its jobs ran within the last 20 seconds. Stop every instance, wait 20 seconds and restore again.',
    );
  await client.query(`drop table ${rows.map((table) => name(table.name)).join(', ')} cascade`);
  const functions = await client.query<{ name: string }>(`
    select oid::regprocedure::text as name from pg_proc where pronamespace = current_schema()::regnamespace and proowner = (select oid from pg_roles where rolname = current_user)
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`);
  if (functions.rows.length > 0)
    await client.query(`drop function ${functions.rows.map((each) => each.name).join(', ')} cascade`);
}

async function whyForeign(client: pg.Client, folder: string, tables: readonly string[]): Promise<string> {
  const [newer] = await listNewer((text) => client.query(text), await listMigrations(folder));
  return newer
    ? `The database was made by a newer release of Tipledger (${newer.name}), whose tables this one does not know (${tables.slice(0, 5).join(', ')}). Restore into an empty database; docs/operating.md says how under "Upgrade and roll back".`
    : `The database holds tables that are not Tipledger's (${tables.slice(0, 5).join(', ')}). Name a database of its own.`;
}

/** What a database holds, in the figures that matter to its operator. */
async function describe(client: pg.Client, tables: ReadonlySet<string>): Promise<string> {
  const figures = [
    ['account', 'accounts'],
    ['tip', 'tips'],
    ['ledger_entry', 'entries of the record'],
    ['bet', 'bets'],
    ['post', 'posts'],
  ] as const;
  const told: string[] = [];
  for (const [table, word] of figures) {
    if (!tables.has(table)) continue;
    const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${name(table)}`);
    told.push(`${Number(rows[0]?.count ?? 0).toLocaleString('en-GB')} ${word}`);
  }
  return told.length > 0 ? told.join(', ') : `${tables.size} tables`;
}

function migrationsOf(manifest: Manifest, known: readonly Migration[]): Migration[] {
  const unknown = manifest.migrations.filter((each) => !known.some((migration) => migration.name === each.name));
  if (unknown.length > 0)
    throw new BackupProblem(
      `The backup was made by a newer release of Tipledger (${manifest.release}): this one does not know ${unknown[0]?.name}. Restore it with that release or a later one.`,
    );
  const changed = manifest.migrations.find((each) =>
    known.some((migration) => migration.name === each.name && migration.checksum !== each.checksum),
  );
  if (changed)
    throw new BackupProblem(
      `The backup was made with another ${changed.name} than this release has. Restore it with the release that made it (${manifest.release}).`,
    );
  const wanted = new Set(manifest.migrations.map((each) => each.name));
  return known.filter((migration) => wanted.has(migration.name));
}

async function checkTables(client: pg.Client, manifest: Manifest): Promise<void> {
  const there = new Map((await listTables(client)).map((table) => [table.name, table.columns]));
  const isSame =
    manifest.tables.length === there.size &&
    manifest.tables.every((table) => {
      const columns = there.get(table.name) ?? [];
      return columns.length === table.columns.length && table.columns.every((column) => columns.includes(column));
    });
  if (!isSame)
    throw new BackupProblem('The backup has other tables or columns than its migrations make. Nothing was restored.');
}

type Dressing = {
  constraints: { table: string; name: string; definition: string }[];
  triggers: { table: string; name: string; state: string }[];
};

// Foreign keys are held again once all rows are there, at once and in no order; guards would refuse what they guard.
async function takeOff(client: pg.Client): Promise<Dressing> {
  const constraints = await client.query<Dressing['constraints'][number]>(`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where connamespace = current_schema()::regnamespace and contype = 'f' and conparentid = 0 order by 1, 2`);
  const triggers = await client.query<Dressing['triggers'][number]>(`
    select tgrelid::regclass::text as table, tgname as name, case tgenabled when 'A' then 'enable always' when 'R' then 'enable replica' when 'D' then 'disable' else 'enable' end as state
    from pg_trigger join pg_class on pg_class.oid = tgrelid where not tgisinternal and relnamespace = current_schema()::regnamespace order by 1, 2`);
  for (const each of constraints.rows)
    await client.query(`alter table ${each.table} drop constraint ${name(each.name)}`);
  for (const table of new Set(triggers.rows.map((each) => each.table)))
    await client.query(`alter table ${table} disable trigger user`);
  return { constraints: constraints.rows, triggers: triggers.rows };
}

async function putOn(client: pg.Client, { constraints, triggers }: Dressing): Promise<void> {
  for (const each of triggers) await client.query(`alter table ${each.table} ${each.state} trigger ${name(each.name)}`);
  for (const each of constraints) {
    await client
      .query(`alter table ${each.table} add constraint ${name(each.name)} ${each.definition}`)
      .catch((error: unknown) => Promise.reject(refusedRow(each.table, error)));
  }
}

async function setSequences(client: pg.Client, { sequences }: Summary): Promise<void> {
  for (const { table, column, last, called } of sequences)
    await client.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3, $4)', [
      table,
      column,
      last,
      called,
    ]);
}

async function countRows(client: pg.Client, { tables }: Summary): Promise<void> {
  for (const { name: table, rows: wanted } of tables) {
    const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${name(table)}`);
    if (Number(rows[0]?.count) !== wanted)
      throw new BackupProblem(
        `${table} has ${rows[0]?.count} rows after it was restored, where the backup has ${wanted}. Nothing was restored.`,
      );
  }
}
