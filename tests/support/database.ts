import path from 'node:path';
import pg from 'pg';
import { closeDatabase, transact } from '@/lib/platform/database';
import { migrate } from '@/lib/platform/migrations';
import { storeBookmakers } from '@/lib/reference/commands';

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
  return { url: withName(templateUrl(), name), drop: () => administer(`drop database if exists "${name}" with (force)`) };
}

/** Gives the tests of a file a copy of the named world, dropped when they end. */
export function onTestDatabase(): void {
  // A machine under load is slow, not wrong.
  jest.setTimeout(30_000);
  let drop = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const made = await copy(nameIn(templateUrl()));
    drop = made.drop;
    process.env.DATABASE_URL = made.url;
  });
  afterAll(async () => {
    await closeDatabase();
    await drop();
  });
}

/** Gives the tests of a file a database with its tables and bookmakers and nothing else, dropped when they end. */
export function onBlankDatabase(): void {
  // A machine under load is slow, not wrong.
  jest.setTimeout(30_000);
  let drop = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const made = await copy('template0');
    drop = made.drop;
    process.env.DATABASE_URL = made.url;
    await migrate(made.url, path.resolve('migrations'));
    await storeBookmakers();
  });
  afterAll(async () => {
    await closeDatabase();
    await drop();
  });
}

/** Runs `body` on a database without a table, dropped when it ends. */
export async function onEmptyDatabase(body: (url: string) => Promise<void>): Promise<void> {
  const { url, drop } = await copy('template0');
  try {
    await body(url);
  } finally {
    await drop();
  }
}

/** A connection of its own to the test database, beside the pool, closed when `body` ends. */
export async function onOwnConnection<T>(body: (client: pg.Client) => Promise<T>, url = process.env.DATABASE_URL): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await body(client);
  } finally {
    await client.end();
  }
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
