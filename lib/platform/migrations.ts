import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { knowSchema } from './database-probe';
import { grantPrivileges, type Query, readPrivileges } from './privileges';

/** A step of the schema: its file's name, its statements, their SHA-256, and the oldest step whose program can run with it. */
export type Migration = { name: string; text: string; checksum: string; compatibleFrom: string | null };

const fileName = /^\d{4}-[a-z0-9-]+\.sql$/;

/** The names of the migrations of a folder in their order; throws for a file that is named otherwise. */
export async function listMigrations(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const wrong = names.find((name) => !fileName.test(name));
  if (wrong) throw new Error(`The migration ${wrong} must be named like 0001-what.sql.`);
  return names;
}

/** The migrations of a folder in their order; throws for a file that is named otherwise. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = await listMigrations(folder);
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(folder, name), 'utf8');
      return {
        name,
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
        compatibleFrom: /^-- compatible from (\d{4})$/m.exec(text)?.[1] ?? null,
      };
    }),
  );
}

type Say = (line: string) => void;

/**
 * Brings the database of `url` to the newest schema: each `NNNN-what.sql` of `folder` once, in order, in a transaction of its own,
 * under a lock row, so that any number of programs may start at once, and with no lock waited for longer than a second, so that whoever reads is not
 * held up behind a migration that waits for a backup. Then gives `programRole`, where it is another than the role of `url`,
 * the privileges that stand beside them, unless a newer release has given its own. Tells `say` what it waits for. Returns the names applied. Throws when PostgreSQL is older than 15, when the database keeps texts in another encoding than UTF8, when an applied migration was
 * changed afterwards, or when the schema is a newer release's that this one cannot run with (0051).
 */
export async function migrate(
  url: string,
  folder: string,
  programRole?: string,
  say: Say = () => undefined,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const unfit = await whyUnfit(client);
    if (unfit !== null) throw new Error(unfit);
    const migrations = await readMigrations(folder);
    const applied: string[] = [];
    knowSchema(migrations.map(({ name }) => name));
    await refuseNewer(client, migrations);
    if (!(await areApplied(client, migrations))) {
      await refused(client, async () => {
        const turns = new Turns(client, say);
        await prepare(turns);
        for (const migration of migrations) if (await apply(turns, migration)) applied.push(migration.name);
      });
    }
    if (programRole !== undefined) await grant(client, programRole, { folder, migrations, say });
    return applied;
  } finally {
    await client.end();
  }
}

/** Why the program cannot keep what it has in a database, whatever is in it, or null. */
export async function whyUnfit(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
  );
  const { version = 0, encoding = '' } = rows[0] ?? {};
  if (version < 150000)
    return 'This PostgreSQL is too old: Tipledger needs version 15 or newer. Point DATABASE_URL at a newer server.';
  if (encoding !== 'UTF8')
    return `This database keeps texts in ${encoding}: Tipledger needs UTF8. Create one with "encoding 'UTF8' template template0", as deploy/roles.sh does, and name it in DATABASE_URL and DATABASE_OWNER_URL.`;
  return null;
}

// Asked first, so that a role that may only read finds a database that is up to date as it needs it.
async function areApplied(client: pg.Client, migrations: readonly Migration[]): Promise<boolean> {
  const { rows: found } = await client.query<{ readable: boolean | null }>(
    `select has_table_privilege(to_regclass('migration'), 'select') as readable`,
  );
  if (!found[0]?.readable) return false;
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migration');
  const known = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  return migrations.every(({ name, checksum }) => known.get(name) === checksum);
}

/** A migration that a newer release has made, and the oldest step whose program runs with it. */
export type NewerMigration = { name: string; compatibleFrom: string | null };

/** The migrations of the database that are not among `known`, a newer release's; none where there are no migrations yet, or the role may not read them. */
export async function listNewer(query: Query, known: readonly string[]): Promise<NewerMigration[]> {
  const { rows: found } = await query(`select has_table_privilege(to_regclass('migration'), 'select') as readable`);
  if (!found[0]?.readable) return [];
  const { rows } = await query('select name, to_jsonb(migration) as given from migration order by name');
  const own = new Set(known);
  return (rows as { name: string; given: Record<string, string | null> }[]).flatMap(({ name, given }) =>
    own.has(name) ? [] : [{ name, compatibleFrom: given.compatible_from ?? null }],
  );
}

const newerThan = (client: pg.Client, migrations: readonly Migration[]) =>
  listNewer(
    (text) => client.query(text),
    migrations.map(({ name }) => name),
  );

async function refuseNewer(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const why = whyTooNew(await newerThan(client, migrations), migrations.at(-1)?.name ?? '');
  if (why !== null) throw new Error(why);
}

/** Why a program whose last migration is `newest` cannot run with these migrations of a newer release, or null: each may say in a line `-- compatible from NNNN` from which schema on a program runs with it. */
export function whyTooNew(newer: readonly NewerMigration[], newest: string): string | null {
  const first = newer.find(({ compatibleFrom }) => compatibleFrom === null || newest.slice(0, 4) < compatibleFrom);
  if (first === undefined) return null;
  return `The database has the schema of a newer release (${first.name}), with which this release cannot run. Start the newer release, or restore a backup from before it into an empty database.`;
}

async function refused(client: pg.Client, body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    if ((error as { code?: unknown }).code !== '42501') throw error;
    const { rows } = await client.query<{ role: string }>('select current_user as role');
    throw new Error(
      `The database is not up to date, and the role ${rows[0]?.role} may not change it. Set DATABASE_OWNER_URL to the role that owns its tables.`,
      { cause: error },
    );
  }
}

type Release = { folder: string; migrations: readonly Migration[]; say: Say };

async function grant(client: pg.Client, programRole: string, { folder, migrations, say }: Release): Promise<void> {
  const privileges = await readPrivileges(folder);
  await client.query('begin');
  try {
    await holdLock(client, say);
    const { rows } = await client.query<{ own: boolean }>('select current_user = $1 as own', [programRole]);
    // A newer release has given what its programs need, of which this one does not know (0107).
    const isNewest = (await newerThan(client, migrations)).length === 0;
    if (isNewest && !rows[0]?.own) await grantPrivileges(client, programRole, privileges);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

const tellMilliseconds = 1_000;

async function holdLock(client: pg.Client, say: Say): Promise<void> {
  const timer = setTimeout(
    () => say('Another instance is bringing the database up to date: waiting for it…'),
    tellMilliseconds,
  );
  try {
    await client.query('select 1 from migration_lock for update');
  } finally {
    clearTimeout(timer);
  }
}

/** Makes the tables that the migrations are kept in, where they are missing. */
export async function prepareMigrations(client: pg.Client): Promise<void> {
  await client.query(`create table if not exists migration_lock (only_row boolean primary key check (only_row))`);
  await client.query(`insert into migration_lock values (true) on conflict do nothing`);
  await client.query(
    `create table if not exists migration (name text primary key, checksum text not null, applied_at timestamptz not null default now(), compatible_from text)`,
  );
  // Altered only where it must be: that waits for whoever has read the table in a transaction, a backup among them.
  const { rows } = await client.query(
    `select from pg_attribute where attrelid = 'migration'::regclass and attname = 'compatible_from' and not attisdropped`,
  );
  if (rows.length === 0) await client.query('alter table migration add column compatible_from text');
}

/** Applies a migration in the transaction that the client stands in. */
export async function applyMigration(
  client: pg.Client,
  { name, text, checksum, compatibleFrom }: Migration,
): Promise<void> {
  await client.query(text);
  await client.query('insert into migration (name, checksum, compatible_from) values ($1, $2, $3)', [
    name,
    checksum,
    compatibleFrom,
  ]);
}

const pauseMilliseconds = 4_000;
const isLockedOut = (error: unknown) => (error as { code?: unknown }).code === '55P03';

/** Changes the schema in transactions of its own. A table that somebody else has in a transaction is waited for between them: who waits for it within one holds up all that would read the table. */
class Turns {
  readonly #client: pg.Client;
  readonly #say: Say;

  constructor(client: pg.Client, say: Say) {
    this.#client = client;
    this.#say = say;
  }

  /** Runs `work` in a transaction, from the beginning again for as long as a table is in use; with the lock row of all migrations where `isLocked`, which is waited for. */
  async take<T>(work: (client: pg.Client) => Promise<T>, { isLocked }: { isLocked: boolean }): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      await this.#client.query('begin');
      try {
        if (isLocked) await holdLock(this.#client, this.#say);
        await this.#client.query(`set local lock_timeout = '1s'`);
        const value = await work(this.#client);
        await this.#client.query('commit');
        return value;
      } catch (error) {
        await this.#client.query('rollback').catch(() => undefined);
        if (!isLockedOut(error)) throw error;
        if (tries === 1)
          this.#say(
            'The database is to be brought up to date, and a table is in use, such as by a backup: trying again until it is free…',
          );
        await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
      }
    }
  }
}

async function prepare(turns: Turns): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await turns.take(prepareMigrations, { isLocked: false });
      return;
    } catch (error) {
      // Two programs creating the same table at once collide in the catalogue, whatever "if not exists" says.
      if (tries >= 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

const apply = (turns: Turns, migration: Migration): Promise<boolean> =>
  turns.take(
    async (client) => {
      const found = await client.query<{ checksum: string }>('select checksum from migration where name = $1', [
        migration.name,
      ]);
      const known = found.rows[0];
      if (known && known.checksum !== migration.checksum) {
        throw new Error(
          `The migration ${migration.name} was changed after it had been applied. Restore it and put the change into a new migration.`,
        );
      }
      if (!known) await applyMigration(client, migration);
      return !known;
    },
    { isLocked: true },
  );
