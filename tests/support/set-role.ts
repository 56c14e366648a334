import { sql } from 'kysely';
import { closeDatabase, database } from '@/lib/platform/database';
import { openEmbeddedPostgres } from '@/lib/platform/embedded-postgres';
import { env } from '@/lib/platform/env';

/** Gives a member of a site that runs a role, by its number, as the site's owner does. */
export async function main([username = '', role = '']: string[]): Promise<number> {
  const server = await openEmbeddedPostgres({
    dataFolder: env().dataFolder,
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  process.env.DATABASE_URL = server.ownerUrl;
  try {
    const { numAffectedRows } =
      await sql`update account set role = ${Number(role)} where username = ${username}`.execute(database());
    return numAffectedRows === 1n ? 0 : 1;
  } finally {
    await closeDatabase();
    await server.stop();
  }
}
