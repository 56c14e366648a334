import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import { isOwner } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { once } from '@/lib/platform/once';
import { getPortfolio } from '@/lib/portfolios/queries';
import type { FollowingEntry } from '../schema/user';

const hundredthsOf = (maxStake: number) => Math.round(maxStake * 100);

function memberOf(viewer: Viewer): Viewer & { kind: 'member' } {
  requireMember(viewer);
  return viewer;
}

const notFollowed = () => new Failure('missing', 'You do not follow this portfolio. Follow it first.');

/**
 * Spec §4, §7: follows a portfolio with a max stake, by default the member's own; once followed, it stays as it is. Done once for one key (0035).
 * Failure 'missing' for a portfolio that the viewer may not see, 'conflict' for an abandoned one and for the viewer's own.
 */
export async function followPortfolio(
  viewer: Viewer,
  reference: string,
  maxStake: number | undefined,
  now: Date,
  key?: string,
): Promise<FollowingEntry> {
  const { accountId } = memberOf(viewer);
  return once({ accountId, key, request: ['follow', reference, maxStake] }, now, async () => {
    const portfolio = await getPortfolio(viewer, reference);
    if (portfolio.abandoned)
      throw new Failure('conflict', 'This portfolio is closed and publishes no new tips. Follow another one.');
    if (isOwner(viewer, portfolio))
      throw new Failure('conflict', 'This is your own portfolio. You can only follow other people’s.');
    const stake = maxStake === undefined ? null : hundredthsOf(maxStake);
    const { numAffectedRows } = await sql`
      insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at)
      select id, ${portfolio.id}, coalesce(${stake}::int, max_stake_hundredths), ${now} from account where id = ${accountId}
      on conflict (account_id, portfolio_id) do nothing
    `.execute(database());
    if (numAffectedRows === 1n) await forget([`portfolio:${reference}`, `account:${accountId}`]);
    const { rows } = await sql<FollowingEntry>`
      select ${reference}::text as "portfolioReference", max_stake_hundredths::float8 / 100 as "maxStake" from follow where account_id = ${accountId} and portfolio_id = ${portfolio.id}
    `.execute(database());
    if (!rows[0]) throw new Error('The following that was just begun is not there.');
    return rows[0];
  });
}

/** Spec §4, §7: ends the following of a portfolio; does nothing when it was not followed, so that an entry can go whose portfolio went first. Done once for one key (0035). */
export async function unfollowPortfolio(viewer: Viewer, reference: string, now: Date, key?: string): Promise<void> {
  const { accountId } = memberOf(viewer);
  await once({ accountId, key, request: ['unfollow', reference] }, now, async () => {
    const { numAffectedRows } = await sql`
      delete from follow where account_id = ${accountId} and portfolio_id = (select id from portfolio where reference = ${reference})
    `.execute(database());
    if (numAffectedRows === 1n) await forget([`portfolio:${reference}`, `account:${accountId}`]);
    return null;
  });
}

/** Spec §7: PUT /user/following/{ref}: sets the max stake of a following entry; once for one key (0035). Failure 'missing' when the portfolio is not followed. */
export async function changeFollowStake(
  viewer: Viewer,
  reference: string,
  maxStake: number,
  now: Date,
  key?: string,
): Promise<FollowingEntry> {
  const { accountId } = memberOf(viewer);
  return once({ accountId, key, request: ['follow-stake', reference, maxStake] }, now, () =>
    writeFollowStake(accountId, reference, maxStake),
  );
}

async function writeFollowStake(accountId: number, reference: string, maxStake: number): Promise<FollowingEntry> {
  const { rows } = await sql<FollowingEntry>`
    update follow set max_stake_hundredths = ${hundredthsOf(maxStake)}
    where account_id = ${accountId} and portfolio_id = (select id from portfolio where reference = ${reference})
    returning ${reference}::text as "portfolioReference", max_stake_hundredths::float8 / 100 as "maxStake"
  `.execute(database());
  if (!rows[0]) throw notFollowed();
  return rows[0];
}
