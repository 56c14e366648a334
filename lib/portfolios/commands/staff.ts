import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { act } from '@/lib/staff/commands';
import type { StaffAction, StaffFacts, StaffOrder, StaffOutcome } from '@/lib/staff/schema';
import { visibilityNames } from '../queries/staff';
import { leaveTeams, setPart } from './pro-part';

/** What staff order about a portfolio. */
export type PortfolioByStaff = {
  staff: Viewer;
  reference: string;
  action: Extract<StaffAction, `portfolio.${string}`>;
} & StaffOrder;

type Held = {
  id: number;
  owner: number;
  visibility: PortfolioVisibility;
  isPro: boolean;
  isFeatured: boolean;
  held: PortfolioVisibility | null;
  members: number;
  isAbandoned: boolean;
};

async function hold(reference: string): Promise<Held> {
  await sql`select 1 from portfolio where reference = ${reference} for update`.execute(database());
  const { rows } = await sql<Held>`
    select id, owner_id as owner, visibility, tipledger_pro as "isPro", exists (select 1 from portfolio_feature where portfolio_id = portfolio.id) as "isFeatured",
      (select portfolio_hold.visibility from portfolio_hold where portfolio_id = portfolio.id) as held, abandoned_at is not null as "isAbandoned",
      (select count(*)::int from membership where portfolio_id = portfolio.id and ended_at is null and plan_id is not null) as members
    from portfolio where reference = ${reference}
  `.execute(database());
  if (!rows[0]) throw new Failure('missing', 'There is no such portfolio.');
  return rows[0];
}

type Change = (held: Held) => Promise<{ before: StaffFacts; after: StaffFacts }>;

const conflict = (message: string) => new Failure('conflict', message);

const changes: Readonly<Record<PortfolioByStaff['action'], Change>> = {
  'portfolio.hide': async ({ id, visibility, members }) => {
    if (visibility !== PortfolioVisibility.public && visibility !== PortfolioVisibility.premium)
      throw conflict('Only a portfolio that everybody can find is hidden.');
    await sql`insert into portfolio_hold (portfolio_id, visibility) values (${id}, ${visibility})`.execute(database());
    await sql`update portfolio set visibility = ${PortfolioVisibility.hidden} where id = ${id}`.execute(database());
    const left = await leaveTeams(id, await decisionMoment());
    await forget(left.map((accountId) => `account:${accountId}`));
    return {
      before: { kind: visibilityNames[visibility], 'memberships that run': members },
      after: { kind: visibilityNames[PortfolioVisibility.hidden], 'memberships that run': 0 },
    };
  },
  'portfolio.show': async ({ id, visibility, held }) => {
    if (held === null) throw conflict('Staff have not hidden this portfolio.');
    await sql`update portfolio set visibility = ${held} where id = ${id}`.execute(database());
    await sql`delete from portfolio_hold where portfolio_id = ${id}`.execute(database());
    return { before: { kind: visibilityNames[visibility] }, after: { kind: visibilityNames[held] } };
  },
  'portfolio.feature': async ({ id, isFeatured, isAbandoned, visibility }) => {
    if (isFeatured) throw conflict('This portfolio is featured already.');
    if (isAbandoned || visibility === PortfolioVisibility.hidden || visibility === PortfolioVisibility.personal)
      throw conflict('Only an open portfolio that everybody can find is featured.');
    await sql`insert into portfolio_feature (portfolio_id) values (${id})`.execute(database());
    return { before: { featured: false }, after: { featured: true } };
  },
  'portfolio.unfeature': async ({ id, isFeatured }) => {
    if (!isFeatured) throw conflict('This portfolio is not featured.');
    await sql`delete from portfolio_feature where portfolio_id = ${id}`.execute(database());
    return { before: { featured: true }, after: { featured: false } };
  },
  'portfolio.join-pro': (held) => setPro(held, true),
  'portfolio.leave-pro': (held) => setPro(held, false),
};

async function setPro({ id, isPro, isAbandoned, visibility }: Held, joins: boolean) {
  if (isPro === joins) throw conflict(joins ? 'This portfolio is in pro already.' : 'This portfolio is not in pro.');
  if (joins && (isAbandoned || visibility === PortfolioVisibility.personal))
    throw conflict('Only an open portfolio on the public record is taken into pro.');
  const left = await setPart(id, joins, await decisionMoment());
  await forget(left.map((accountId) => `account:${accountId}`));
  return { before: { pro: isPro }, after: { pro: joins } };
}

/**
 * Product §11: staff hide a portfolio or show it again as it was, feature it, or take it into pro or out. Hiding one for members ends its stays in teams of
 * Pro, and its memberships, whose unused days are given back, by the job that looks for them. Failure 'missing', 'conflict' where it is so already or cannot be; else as `act`.
 */
export async function changePortfolioByStaff({
  staff,
  reference,
  action,
  ...order
}: PortfolioByStaff): Promise<StaffOutcome> {
  const owner = await sql<{ id: number }>`select owner_id as id from portfolio where reference = ${reference}`.execute(
    database(),
  );
  const accounts = owner.rows.map(({ id }) => id);
  return act({ staff, action, subject: { kind: 'portfolio', id: reference }, accounts, ...order }, async () => {
    const held = await hold(reference);
    const changed = await changes[action](held);
    await forget([`account:${held.owner}`, `portfolio:${reference}`, 'portfolios', 'posts', 'tips', 'standings']);
    return changed;
  });
}
