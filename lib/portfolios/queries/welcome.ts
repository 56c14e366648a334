import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { renderMarkdown } from '@/lib/content/rules';
import { database } from '@/lib/platform/database';
import { PortfolioVisibility } from '@/lib/reference/schema';
import type { Welcome } from '../schema/portfolios';
import { getPortfolio } from './portfolios';

type WelcomeRow = { portfolioReference: string; followers: string; members: string };

/** How the tipster of a portfolio welcomes the viewer; Failure 'unauthorised' for a guest, 'missing' as with `getPortfolio`. */
export async function getWelcome(viewer: Viewer, reference: string): Promise<Welcome> {
  const { id } = await getPortfolio(viewer, reference);
  const [welcome] = await readWelcomes(viewer, sql`portfolio.id = ${id}`);
  return welcome ?? { portfolioReference: reference, followers: null, members: null };
}

/** How those whom the viewer follows or has a membership of welcome them; what says nothing is left out. Failure 'unauthorised' for a guest. */
export async function listWelcomes(viewer: Viewer): Promise<Welcome[]> {
  const all = await readWelcomes(viewer, sql`true`);
  return all.filter(({ followers, members }) => followers !== null || members !== null);
}

async function readWelcomes(viewer: Viewer, which: RawBuilder<unknown>): Promise<Welcome[]> {
  requireMember(viewer);
  const { accountId, subscribes, team } = viewer;
  const { rows } = await sql<WelcomeRow>`
    select reference as "portfolioReference", case when follows then welcome_message else '' end as followers, case when belongs then premium_welcome_message else '' end as members
    from portfolio
    cross join lateral (
      select exists (select 1 from follow where portfolio_id = portfolio.id and account_id = ${accountId}) as follows,
        portfolio.id = any(${[...subscribes, ...team]}::int[]) as belongs
    ) standing
    where ${which} and visibility <> ${PortfolioVisibility.personal} and (follows or belongs) order by portfolio.id
  `.execute(database());
  const shown = (text: string) => (text === '' ? null : renderMarkdown(text));
  return rows.map(({ portfolioReference, followers, members }) => ({
    portfolioReference,
    followers: shown(followers),
    members: shown(members),
  }));
}
