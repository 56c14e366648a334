import { sql } from 'kysely';
import { database } from './database';
import { Failure } from './errors';

/** Holds an account until the caller's transaction ends, so that its writes are decided one after the other; false for one that was deleted, also while this waited. */
export async function lockAccount(accountId: number): Promise<boolean> {
  const { rows } = await sql`
    select from account where id = ${accountId} and deleted_at is null for no key update
  `.execute(database());
  return rows.length > 0;
}

/** Holds the account whose own write the caller's transaction does, before anything that refers to it. Failure 'unauthorised' for one that was deleted, also while this waited. */
export async function holdAccount(accountId: number): Promise<void> {
  if (!(await lockAccount(accountId)))
    throw new Failure('unauthorised', 'This account no longer exists. Sign in again.');
}
