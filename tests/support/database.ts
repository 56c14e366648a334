import pg from 'pg';
import { closeDatabase, transact } from '@/lib/platform/database';

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

/** Gives the tests of a file a copy of the named world, dropped when they end. */
export function useTestDatabase(): void {
  const name = `tipledger_test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  beforeAll(async () => {
    for (let tries = 1; ; tries += 1) {
      try {
        await administer(`create database "${name}" template "${nameIn(templateUrl())}"`);
        break;
      } catch (error) {
        if (tries >= 20) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    process.env.DATABASE_URL = withName(templateUrl(), name);
  });
  afterAll(async () => {
    await closeDatabase();
    await administer(`drop database if exists "${name}" with (force)`);
  });
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
