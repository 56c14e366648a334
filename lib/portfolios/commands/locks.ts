import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { listWithOwnPortfolio } from '../queries/portfolios';
import { abandonedMessage } from '../rules';
import { portfolioReferenceSchema, type PortfolioView } from '../schema/portfolios';

/** Keeps portfolios from being changed until the transaction ends; Failure 'conflict' when one was abandoned. */
export async function lockOpenPortfolios(ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ abandoned: boolean }>`
    select abandoned_at is not null as abandoned from portfolio where id = any(${[...new Set(ids)]}::int[]) order by id for update
  `.execute(database());
  if (rows.some(({ abandoned }) => abandoned)) throw new Failure('conflict', abandonedMessage);
}

/** The viewer's portfolio as it stands, kept from being changed until the transaction ends; Failure as with `listWithOwnPortfolio`. */
export async function lockOwnPortfolio(viewer: Viewer, portfolioReference: string): Promise<PortfolioView> {
  // Nobody else's is held, whatever is asked for; what it is, is read once it is held.
  if (viewer.kind === 'member' && portfolioReferenceSchema.safeParse(portfolioReference).success)
    await sql`select from portfolio where reference = ${portfolioReference} and owner_id = ${viewer.accountId} for update`.execute(
      database(),
    );
  const [own] = await listWithOwnPortfolio([{ viewer, portfolioReference }]);
  if (!own) throw new Error('The portfolio was not read.');
  return own.portfolio;
}
