import 'server-only';
import { sql } from 'kysely';
import { arrayOf, database } from '@/lib/platform/database';

/** How portfolios are called, by their ids. For what staff alone are shown. */
export async function listPortfolioNames(
  portfolioIds: readonly number[],
): Promise<Map<number, { portfolio: string; name: string }>> {
  const { rows } = await sql<{ id: number; portfolio: string; name: string }>`
    select id, reference as portfolio, name from portfolio where id = any(${arrayOf([...new Set(portfolioIds)])}::int[])
  `.execute(database());
  return new Map(rows.map(({ id, ...portfolio }) => [id, portfolio]));
}
