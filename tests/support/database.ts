import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { closeDatabase, database, transact } from '@/lib/platform/database';
import { storeBookmakers } from '@/lib/reference/commands';
import { migrateForTests, programUrl } from './template';

const templateUrl = () => {
  const url = process.env.TIPLEDGER_TEMPLATE_URL;
  if (!url) throw new Error('The test database was not prepared: run the tests through npm test or npx jest.');
  return url;
};

const nameIn = (url: string) => /^postgres(?:ql)?:\/\/[^/]*\/([^?]*)/.exec(url)?.[1] ?? '';
const withName = (url: string, name: string) => url.replace(`/${nameIn(url)}`, `/${name}`);

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: withName(templateUrl(), 'postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const newName = () => `tipledger_test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;

async function copy(template: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = newName();
  for (let tries = 1; ; tries += 1) {
    try {
      await administer(`create database "${name}" template "${template}"`);
      break;
    } catch (error) {
      if (tries >= 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  return {
    url: withName(templateUrl(), name),
    drop: () => administer(`drop database if exists "${name}" with (force)`),
  };
}

// The program's role for the code under test, and the owner's for the programs that it starts and for what no program may do.
function useDatabase(ownerUrl: string): void {
  process.env.DATABASE_URL = programUrl(ownerUrl);
  process.env.DATABASE_OWNER_URL = ownerUrl;
}

/** Gives the tests of a file a copy of the named world, dropped when they end. */
export function onTestDatabase(): void {
  let drop = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const made = await copy(nameIn(templateUrl()));
    drop = made.drop;
    useDatabase(made.url);
  });
  afterAll(async () => {
    await closeDatabase();
    await drop();
  });
}

/** Gives the tests of a file a database with its tables and bookmakers and nothing else, dropped when they end. */
export function onBlankDatabase(): void {
  let drop = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const made = await copy('template0');
    drop = made.drop;
    await migrateForTests(made.url);
    useDatabase(made.url);
    await storeBookmakers();
  });
  afterAll(async () => {
    await closeDatabase();
    await drop();
  });
}

/** Runs `body` on a database without a table, as its owner, dropped when it ends. */
export async function onEmptyDatabase(body: (url: string) => Promise<void>): Promise<void> {
  const { url, drop } = await copy('template0');
  try {
    await body(url);
  } finally {
    await drop();
  }
}

/** A connection of its own to the test database, as its owner, beside the pool, closed when `body` ends. */
export async function onOwnConnection<T>(
  body: (client: pg.Client) => Promise<T>,
  url = process.env.DATABASE_OWNER_URL,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await body(client);
  } finally {
    await client.end();
  }
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`;
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

/**
 * Runs a statement as the owner of the tables inside the transaction that the test stands in, for a world that no command makes and for what
 * somebody else than the program does; with the triggers of the tables off that are named. Returns how many rows it changed.
 */
export async function asOwner(
  statement: RawBuilder<unknown>,
  { unguarded = [] }: { unguarded?: string | readonly string[] } = {},
): Promise<number> {
  const { sql: text, parameters } = statement.compile(database());
  const written = text.replace(/\$(\d+)/g, (_, place: string) => literal(parameters[Number(place) - 1]));
  const { rows } = await sql<{
    changed: string;
  }>`select test_support.as_owner(${written}, ${[unguarded].flat()}::text[]) as changed`.execute(database());
  return Number(rows[0]?.changed);
}

const undo = new Error('The test is over; nothing of it stays.');

/** A test body whose writes are rolled back when it ends. */
export function undone(body: () => Promise<void>): () => Promise<void> {
  return async () => {
    await transact(async () => {
      await body();
      throw undo;
    }).catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  };
}
