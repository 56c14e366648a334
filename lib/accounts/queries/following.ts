import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { PortfolioVisibility } from '@/lib/reference/schema';
import type { FollowingEntry, WatchlistEntry } from '../schema/user';

/** What the viewer follows, as the watchlist shows it, the newest first. Failure 'unauthorised' for a guest. */
export async function listWatchlist(viewer: Viewer): Promise<WatchlistEntry[]> {
  requireMember(viewer);
  const { rows } = await sql<WatchlistEntry>`
    select reference as "portfolioReference", max_stake_hundredths::float8 / 100 as "maxStake", name, demo, abandoned_at is not null as abandoned
    from follow join portfolio on portfolio.id = portfolio_id
    where account_id = ${viewer.accountId} and visibility <> ${PortfolioVisibility.personal} order by follow.created_at desc, portfolio.id desc
  `.execute(database());
  return rows;
}

/** Spec §7: GET /user/following: the viewer's following list. Failure 'unauthorised' for a guest. */
export async function listFollowing(viewer: Viewer): Promise<FollowingEntry[]> {
  return (await listWatchlist(viewer)).map(({ portfolioReference, maxStake }) => ({ portfolioReference, maxStake }));
}
