import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';

/** Creates an account and returns its id; `demo` marks it, and every portfolio that it opens, as demo data. Failure 'conflict' for a name that is taken. */
export async function createAccount({ username, demo }: { username: string; demo: boolean }, now: Date): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into account (username, demo, created_at) values (${username}, ${demo}, ${now}) on conflict (username) do nothing returning id
  `.execute(database());
  if (!rows[0]) throw new Failure('conflict', `The name ${username} is taken. Choose another one.`);
  return rows[0].id;
}
