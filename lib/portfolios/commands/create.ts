import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { holdAccount } from '@/lib/platform/held-account';
import { newReference } from '@/lib/platform/reference';
import { slug } from '@/lib/reference/rules';
import { protectedSegments } from '@/lib/route-table';
import { type PortfolioInput, portfolioInputSchema, portfolioLimits } from '../schema/portfolios';

const referenceLength = 56;
// Ours (0117): of one name so many are counted; names of closed portfolios stay in use, and to try them all would never end.
const mostCounted = 5;
const suffixLength = 6;

const cut = (name: string, length: number) => name.slice(0, length).replace(/-$/, '');

/** The reference of a name that is tried as the first, second, …: the name, then with a number, in the end with letters that nobody else has. */
function referenceOf(name: string, copy: number): string {
  if (copy === 1) return cut(name, referenceLength);
  return copy <= mostCounted
    ? `${cut(name, referenceLength)}-${copy}`
    : `${cut(name, referenceLength + 3 - suffixLength)}-${newReference(suffixLength)}`;
}

const { mostPortfolios } = portfolioLimits;

// Pages and calls that stand where portfolios do, and the words by which an address asks who one is.
const taken: ReadonlySet<string> = new Set(['new', 'compare', 'recommended', 'most-popular', ...protectedSegments]);

/** Creates a portfolio of the viewer's; its reference is made from its name and never changes. Refuses guests, a deleted account and a twenty-first one. */
export async function createPortfolio(
  viewer: Viewer,
  input: PortfolioInput,
  now: Date,
): Promise<{ id: number; reference: string }> {
  requireMember(viewer);
  const { name, description, visibility, defaultTipStakeHundredths, welcomeMessage, premiumWelcomeMessage } =
    portfolioInputSchema.parse(input);
  return transact(async () => {
    await holdAccount(viewer.accountId);
    const owned = await sql<{
      count: number;
    }>`select count(*)::int as count from portfolio where owner_id = ${viewer.accountId} and abandoned_at is null`.execute(
      database(),
    );
    if ((owned.rows[0]?.count ?? 0) >= mostPortfolios)
      throw new Failure(
        'conflict',
        `A member may own ${mostPortfolios} portfolios. Close one before you create another.`,
      );
    const base = slug(name);
    for (let copy = taken.has(base) ? 2 : 1; ; copy += 1) {
      const reference = referenceOf(base, copy);
      const { rows } = await sql<{ id: number }>`
        insert into portfolio (reference, owner_id, name, description, visibility, default_tip_stake_hundredths, welcome_message, premium_welcome_message, demo, created_at)
        select ${reference}, id, ${name}, ${description}, ${visibility}, ${defaultTipStakeHundredths}, ${welcomeMessage}, ${premiumWelcomeMessage}, demo, ${now}
        from account where id = ${viewer.accountId}
        on conflict (reference) do nothing returning id
      `.execute(database());
      if (rows[0]) {
        await forget([`account:${viewer.accountId}`, 'portfolios', `portfolio:${reference}`]);
        return { id: rows[0].id, reference };
      }
    }
  });
}
