import 'server-only';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';

type Concerned = { accountId: number; portfolioId: number | null };

/** Drops what was kept of a portfolio and of a member, so that every page and every open tab sees at once who is in and who is not. */
export async function forgetMembership(concerned: Concerned): Promise<void> {
  await forget(await topicsOf(concerned));
}

/** What is to be forgotten of a portfolio and of a member, for a caller that forgets it last. */
export async function topicsOf({ accountId, portfolioId }: Concerned): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`select reference from portfolio where id = ${portfolioId}`.execute(
    database(),
  );
  return [...rows.map(({ reference }) => `portfolio:${reference}`), `account:${accountId}`];
}
