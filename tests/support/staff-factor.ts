import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { hashToken, newToken } from '@/lib/platform/tokens';
import { recoveryCodeAt, staffCodes } from './staff-codes';

/** Gives an account a second factor that is set up, whose recovery codes the tests know. */
export async function giveFactor(accountId: number, at: Date): Promise<void> {
  await sql`
    insert into staff_factor (account_id, sealed_key, confirmed_at) values (${accountId}, ${newToken()}, ${at})
  `.execute(database());
  const hashes = Array.from({ length: staffCodes }, (_, place) => hashToken(recoveryCodeAt(place)));
  await sql`
    insert into staff_recovery_code (account_id, code_hash) select ${accountId}, unnest(${hashes}::text[])
  `.execute(database());
}
