import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { isOwner } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import { type CurrencyId, sports } from '@/lib/reference/schema';
import {
  type Autobets,
  type AutobetRuleView,
  type AutobetTotals,
  type AutobetView,
  type MissedReason,
  missedReasons,
} from '../schema/autobets';
import { memberId } from './bets';

const shown = 50;

type RuleRow = Omit<AutobetRuleView, 'sports' | 'since'> & { sportIds: number[]; since: Date };

async function listRules(accountId: number): Promise<AutobetRuleView[]> {
  const { rows } = await sql<RuleRow>`
    select portfolio.reference as "portfolioReference", portfolio.name as "portfolioName", portfolio.demo, enabled, unit_minor as "unitMinor", most_minor as "mostMinor",
      currency_id as "currencyId", least_odds_thousandths as "leastOddsThousandths", sport_ids as "sportIds", since,
      counted.recorded, counted.missed
    from autobet_rule rule join portfolio on portfolio.id = portfolio_id
    cross join lateral (select count(*) filter (where missed is null)::int as recorded, count(missed)::int as missed from autobet
      where autobet.account_id = rule.account_id and autobet.portfolio_id = rule.portfolio_id) counted
    where rule.account_id = ${accountId} order by portfolio.name, portfolio.id
  `.execute(database());
  return rows.map(({ sportIds, since, ...rule }) => ({
    ...rule,
    sports: sports.flatMap(({ id, reference }) => (sportIds.includes(id) ? [reference] : [])),
    since: since.toISOString(),
  }));
}

type AutobetRow = Omit<AutobetView, 'at'> & { at: Date; currencyId: CurrencyId };

/** Product §8: the viewer's rules, by the tipster's name, and what they last made of tips. Failure 'unauthorised' for a guest. */
export async function listAutobets(viewer: Viewer): Promise<Autobets> {
  const accountId = memberId(viewer);
  const [rules, latest] = await Promise.all([
    listRules(accountId),
    sql<AutobetRow>`
      select autobet.at, portfolio.reference as "portfolioReference", portfolio.name as "portfolioName", tip.reference as "tipReference",
        autobet.stake_minor as "stakeMinor", autobet.currency_id as "currencyId", odds_thousandths as "oddsThousandths", missed, bet.reference as "betReference"
      from autobet join tip on tip.id = autobet.tip_id join portfolio on portfolio.id = autobet.portfolio_id
      left join bet on bet.reference = bet_reference and bet.account_id = autobet.account_id
      where autobet.account_id = ${accountId} order by autobet.at desc, autobet.tip_id desc limit ${shown}
    `.execute(database()),
  ]);
  return { rules, latest: latest.rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })) };
}

/** The viewer's rule for a portfolio; null without one. */
export async function findAutobetRule(viewer: Viewer, reference: string): Promise<AutobetRuleView | null> {
  const rules = await listRules(memberId(viewer));
  return rules.find(({ portfolioReference }) => portfolioReference === reference) ?? null;
}

const weekMilliseconds = 7 * 86_400_000;

/** Spec §7: GET /user/portfolio/{ref}/autobets: totals alone. Failure 'missing' as with `getPortfolio`, 'forbidden' for a portfolio that is not the viewer's. */
export async function getAutobetTotals(viewer: Viewer, reference: string, now: Date): Promise<AutobetTotals> {
  const { id } = await getPortfolio(viewer, reference);
  if (!isOwner(viewer, { id })) throw new Failure('forbidden', 'Only the owner of a portfolio sees its autobets.');
  const from = new Date(now.getTime() - weekMilliseconds);
  const [rules, counts] = await Promise.all([
    sql<{
      count: number;
    }>`select count(*)::int as count from autobet_rule where portfolio_id = ${id} and enabled`.execute(database()),
    sql<{ missed: MissedReason | null; all: number; week: number }>`
      select missed, count(*)::int as all, count(*) filter (where at > ${from})::int as week from autobet where portfolio_id = ${id} group by 1
    `.execute(database()),
  ]);
  const countsOf = (span: 'all' | 'week') => ({
    recorded: counts.rows.find(({ missed }) => missed === null)?.[span] ?? 0,
    missed: missedReasons.flatMap((reason) => {
      const count = counts.rows.find(({ missed }) => missed === reason)?.[span] ?? 0;
      return count > 0 ? [{ reason, count }] : [];
    }),
  });
  return { rules: rules.rows[0]?.count ?? 0, week: countsOf('week'), all: countsOf('all') };
}

/** A tip that a member's rule has still to be asked about. */
export type DueAutobet = { accountId: number; portfolioReference: string; tipReference: string };

/** Whether an entry of the record came that no rule of a follower was asked about. */
export const areAutobetsDue = (): RawBuilder<boolean> =>
  sql<boolean>`exists (select from ledger_entry where sequence > (select sequence from autobet_progress))`;

/** What was published since the rules were last asked, as far as the ledger goes now, and whose rules are for it; null when there is nothing new. */
export async function listDueAutobets(): Promise<{ upTo: string; due: DueAutobet[] } | null> {
  const { rows: ends } = await sql<{ upTo: string | null }>`
    select max(sequence)::text as "upTo" from (
      select sequence from ledger_entry where sequence > (select sequence from autobet_progress) order by sequence limit 1000) next
  `.execute(database());
  const upTo = ends[0]?.upTo ?? null;
  if (upTo === null) return null;
  const { rows } = await sql<DueAutobet>`
    select rule.account_id as "accountId", portfolio.reference as "portfolioReference", tip.reference as "tipReference"
    from ledger_entry entry
    join tip on tip.reference = entry.tip join portfolio on portfolio.id = tip.portfolio_id
    join autobet_rule rule on rule.portfolio_id = tip.portfolio_id and rule.enabled and rule.since <= tip.published_at
    where entry.sequence > (select sequence from autobet_progress) and entry.sequence <= ${upTo}::bigint and entry.kind in ('tip-published', 'tip-committed')
    order by entry.sequence, rule.account_id
  `.execute(database());
  return { upTo, due: rows };
}
