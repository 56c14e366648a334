import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { canSeePortfolio, isOwner } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { abandonedMessage } from '../rules';
import { type PortfolioView, portfolioReferenceSchema } from '../schema/portfolios';

/** Spec §9: a portfolio is kept for the standard ten minutes. */
export const portfolioTtlSeconds = 600;

type PortfolioRow = Omit<PortfolioView, 'createdAt' | 'abandoned'> & { createdAt: Date; abandonedAt: Date | null };

/** Product §8: true of a premium portfolio with a plan on sale; without one nothing that it publishes is locked. */
export const sellsPlans = sql`(portfolio.visibility = ${PortfolioVisibility.premium} and portfolio.abandoned_at is null
  and exists (select from plan where plan.portfolio_id = portfolio.id and plan.on_sale))`;

/** Selects portfolios; `rest` is what follows the joins, from `where` on. */
export function selectPortfolios(rest: RawBuilder<unknown>): RawBuilder<PortfolioRow> {
  return sql<PortfolioRow>`
    select portfolio.id, portfolio.reference, visibility as type, name, description, picture, account.username as owner,
      tipledger_pro as "tipledgerPro", portfolio.demo, portfolio.created_at as "createdAt", abandoned_at as "abandonedAt", ${sellsPlans} as sells,
      coalesce((select followers from portfolio_followers where portfolio_id = portfolio.id), 0) as followers
    from portfolio join account on account.id = portfolio.owner_id ${rest}`;
}

/** The view of a row. */
export function portfolioOf({ createdAt, abandonedAt, ...row }: PortfolioRow): PortfolioView {
  return { ...row, createdAt: createdAt.toISOString(), abandoned: abandonedAt !== null };
}

/** The portfolio of this reference; Failure 'missing' when there is none or it is personal and not the viewer's. */
export async function getPortfolio(viewer: Viewer, reference: string): Promise<PortfolioView> {
  return orMissing(viewer, isReference(reference) ? await findPortfolio(reference) : null);
}

const isReference = (text: string) => portfolioReferenceSchema.safeParse(text).success;

function orMissing(viewer: Viewer, portfolio: PortfolioView | null): PortfolioView {
  if (!portfolio || !canSeePortfolio(viewer, { ...portfolio, visibility: portfolio.type })) {
    throw new Failure('missing', 'There is no such portfolio. Find one in the list of tipsters.');
  }
  return portfolio;
}

/**
 * Each of these with the portfolio that it is to be published in. Failure 'missing' as with `getPortfolio`, 'forbidden' for a portfolio that
 * is not the viewer's, 'conflict' for one that was abandoned.
 */
export async function listWithOwnPortfolio<T extends { viewer: Viewer; portfolioReference: string }>(
  asked: readonly T[],
): Promise<(T & { portfolio: PortfolioView })[]> {
  const references = [...new Set(asked.map(({ portfolioReference }) => portfolioReference))].filter(isReference);
  const { rows } = await selectPortfolios(sql`where portfolio.reference = any(${references}::text[])`).execute(
    database(),
  );
  const portfolios = new Map(rows.map((row) => [row.reference, portfolioOf(row)]));
  return asked.map((each) => {
    const portfolio = orMissing(each.viewer, portfolios.get(each.portfolioReference) ?? null);
    if (!isOwner(each.viewer, portfolio))
      throw new Failure('forbidden', 'Only the owner of a portfolio publishes in it.');
    if (portfolio.abandoned) throw new Failure('conflict', abandonedMessage);
    return { ...each, portfolio };
  });
}

/** Product §4: true when portfolios of the demo world are among the others, so that what is read of all of them can be labelled. */
export async function hasDemoPortfolios(): Promise<boolean> {
  return cached('portfolios:demo', portfolioTtlSeconds, ['portfolios'], async () => {
    const { rows } = await sql<{ found: boolean }>`select exists (select 1 from portfolio where demo) as found`.execute(
      database(),
    );
    return rows[0]?.found ?? false;
  });
}

async function findPortfolio(reference: string): Promise<PortfolioView | null> {
  return cached(`portfolio:${reference}`, portfolioTtlSeconds, [`portfolio:${reference}`], async () => {
    const { rows } = await selectPortfolios(sql`where portfolio.reference = ${reference}`).execute(database());
    return rows[0] ? portfolioOf(rows[0]) : null;
  });
}
