import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';

/** Product §8: has a portfolio that the caller holds take part in Pro, or leave it: then it is in no team from `at` on. Gives the accounts whose team it left. */
export async function setPart(portfolioId: number, takesPart: boolean, at: Date): Promise<number[]> {
  await sql`update portfolio set tipledger_pro = ${takesPart} where id = ${portfolioId}`.execute(database());
  return takesPart ? [] : leaveTeams(portfolioId, at);
}

/** Product §8: a portfolio that the caller holds is in no team of Pro from `at` on, and earns no more by those it was in: it left Pro, or sells nothing any more. Gives the accounts whose team it left. */
export async function leaveTeams(portfolioId: number, at: Date): Promise<number[]> {
  const { rows } = await sql<{ accountId: number }>`
    update pro_team set left_at = greatest(joined_at, ${at}) where portfolio_id = ${portfolioId} and left_at is null returning account_id as "accountId"
  `.execute(database());
  return rows.map(({ accountId }) => accountId);
}
