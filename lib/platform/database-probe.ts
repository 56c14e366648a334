import pg from 'pg';
import { keepTime } from './clock';
import { ofDatabase } from './database-trouble';
import { env } from './env';
import { singleton } from './singleton';

const patienceMilliseconds = 900;

/** How the database stands: whether it takes writes, and the migrations that it has beside those that this program knows. */
export type DatabaseStatus = { isReadOnly: boolean; newer: { name: string; compatibleFrom: string | null }[] };

const probe = singleton('database-probe', () => ({
  opening: null as Promise<pg.Client> | null,
  known: [] as readonly string[],
}));

/** Says which migrations this program knows, in their order. */
export function knowSchema(migrations: readonly string[]): void {
  probe.known = migrations;
}

/** The newest migration that this program knows; empty before it was said. */
export function newestMigration(): string {
  return probe.known.at(-1) ?? '';
}

async function open(): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: env().DATABASE_URL,
    application_name: 'tipledger watch',
    connectionTimeoutMillis: patienceMilliseconds,
    query_timeout: patienceMilliseconds,
    keepAlive: true,
    options: `-c statement_timeout=${patienceMilliseconds} -c timezone=UTC`,
  });
  client.on('error', () => void (probe.opening = null));
  await client.connect();
  return client;
}

async function look(): Promise<DatabaseStatus> {
  const client = await (probe.opening ??= open());
  const askedAt = performance.now();
  const { rows } = await client.query<DatabaseStatus & { at: Date }>(
    `select clock_timestamp() as at, current_setting('transaction_read_only') = 'on' as "isReadOnly",
       coalesce((select jsonb_agg(jsonb_build_object('name', name, 'compatibleFrom', compatible_from) order by name) from migration where cardinality($1::text[]) > 0 and name <> all($1)), '[]') as newer`,
    [probe.known],
  );
  const [standing] = rows;
  if (!standing) throw new Error('The database gave no answer.');
  keepTime(standing.at, askedAt, performance.now());
  return standing;
}

/** Asks the database on a connection of its own, within a second, whatever the pool does; sets the clock by what it says. Throws what keeps it from answering. */
export async function probeDatabase(): Promise<DatabaseStatus> {
  const { opening } = probe;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout expired')), patienceMilliseconds);
  });
  try {
    return await Promise.race([look(), late]);
  } catch (error) {
    forget(opening);
    throw ofDatabase(error);
  } finally {
    clearTimeout(timer);
  }
}

function forget(opening: Promise<pg.Client> | null): void {
  const last = opening ?? probe.opening;
  if (probe.opening === last) probe.opening = null;
  void last?.then((client) => client.end()).catch(() => undefined);
}

/** Closes that connection, and waits until it is closed. */
export async function closeProbe(): Promise<void> {
  const last = probe.opening;
  probe.opening = null;
  await last?.then((client) => client.end()).catch(() => undefined);
}
