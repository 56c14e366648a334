import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { sellsPlans } from '@/lib/portfolios/queries';
import { nextSwitchAt } from '../rules/pro';
import { type ProPortfolio, type ProStanding, proTeam } from '../schema/pro';
import { saleTtlSeconds } from './plans';

const proColumns = sql`portfolio.reference, portfolio.name, username as owner, portfolio.demo`;

/** Product §8: the portfolios that take part in Pro: premium ones with a plan on sale whose owner joined, by name. */
export async function listProPortfolios(): Promise<ProPortfolio[]> {
  return cached('pro:portfolios', saleTtlSeconds, ['pro', 'portfolios'], async () => {
    const { rows } = await sql<ProPortfolio>`
      select ${proColumns} from portfolio join account on account.id = owner_id where tipledger_pro and ${sellsPlans} order by portfolio.name, portfolio.id
    `.execute(database());
    return rows;
  });
}

/** A place of a team, by the portfolio that has it. */
export type HeldPlace = { id: number; portfolioId: number; since: Date } & ProPortfolio;

/** The team of a member as it stands in the caller's transaction; whoever left Pro or was closed has no place in it. */
export async function readTeam(accountId: number): Promise<HeldPlace[]> {
  const { rows } = await sql<HeldPlace>`
    select pro_team.id, portfolio_id as "portfolioId", joined_at as since, ${proColumns}
    from pro_team join portfolio on portfolio.id = portfolio_id join account on account.id = owner_id
    where pro_team.account_id = ${accountId} and left_at is null and tipledger_pro and abandoned_at is null order by pro_team.id
  `.execute(database());
  return rows;
}

/** Those who can be chosen into a member's team: who take part, are not in it, and are not the member's own. */
export async function readCandidates(accountId: number): Promise<(ProPortfolio & { id: number })[]> {
  const { rows } = await sql<ProPortfolio & { id: number }>`
    select portfolio.id, ${proColumns} from portfolio join account on account.id = owner_id
    where tipledger_pro and ${sellsPlans} and owner_id <> ${accountId}
      and not exists (select from pro_team where portfolio_id = portfolio.id and account_id = ${accountId} and left_at is null) order by portfolio.name, portfolio.id
  `.execute(database());
  return rows;
}

/** When a member last changed their team, null where they never did. */
export async function readLastSwitch(accountId: number): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(joined_at) as at from pro_team where account_id = ${accountId} and switched
  `.execute(database());
  return rows[0]?.at ?? null;
}

/** Product §8: where the viewer stands with Pro. Failure 'unauthorised' for a guest. */
export async function getProStanding(viewer: Viewer, now: Date): Promise<ProStanding> {
  requireMember(viewer);
  const [team, candidates, switchedAt] = await Promise.all([
    readTeam(viewer.accountId),
    readCandidates(viewer.accountId),
    readLastSwitch(viewer.accountId),
  ]);
  const from = nextSwitchAt(switchedAt);
  return {
    running: viewer.pro,
    places: proTeam.places,
    team: team.map(({ id: _, portfolioId: __, since, ...portfolio }) => ({ ...portfolio, since: since.toISOString() })),
    candidates: candidates.map(({ id: _, ...portfolio }) => portfolio),
    switchFrom: from !== null && from > now ? from.toISOString() : null,
  };
}
