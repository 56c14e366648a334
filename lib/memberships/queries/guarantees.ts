import 'server-only';
import { sql } from 'kysely';
import { arrayOf, database } from '@/lib/platform/database';
import type { LegFacts } from '@/lib/record/schema';
import { afterPeriods } from '../rules/calendar';
import { keepsPromises, periodRecord, type PeriodTip, periodTip, type PublishedTip } from '../rules/guarantees';
import type { PlanPeriod, Promises } from '../schema/plans';

/** The tips that a portfolio published in a time, the settled ones as their newest settlement sealed them. */
export async function readPublished(portfolioId: number, since: Date, until: Date): Promise<PublishedTip[]> {
  const { rows } = await sql<PublishedTip>`
    select tip.id as "tipId", published_at as "publishedAt", publication, settlement.facts, settlement.tip_id is not null as "isSettled"
    from tip left join lateral (select tip_id, facts from tip_settlement where tip_id = tip.id order by version desc limit 1) settlement on true
    where portfolio_id = ${portfolioId} and published_at >= ${since} and published_at < ${until}
  `.execute(database());
  return rows;
}

/** How many members' periods of a portfolio, sold with a promise and not judged yet, would keep it no more, or would keep it where they do not. */
export type PreviewedGuarantee = { portfolioId: number; missed: number; kept: number };

/** A tip that would be settled so: when it was published, and what its settlement would seal. */
export type WouldSettle = { tipId: number; portfolioId: number; publishedAt: Date; facts: LegFacts[] };

type Sold = { portfolioId: number; period: PlanPeriod; periodNumber: number; countedFrom: Date; promises: Promises };

async function readSold(portfolioIds: readonly number[]): Promise<Sold[]> {
  const { rows } = await sql<Sold>`
    select own.portfolio_id as "portfolioId", period, own.period_number as "periodNumber", counted_from as "countedFrom",
      jsonb_build_object('tipsPromised', (own.terms ->> 'tipsPromised')::int, 'profitOrFree', coalesce((own.terms ->> 'profitOrFree')::bool, false)) as promises
    from customer_order own join membership on membership.id = own.membership_id join plan on plan.id = own.plan_id
    where own.portfolio_id = any(${arrayOf(portfolioIds)}::int[]) and own.status = 'paid' and own.amount_minor > 0
      and ((terms ->> 'tipsPromised') is not null or (terms ->> 'profitOrFree')::bool) and not exists (select from guarantee_verdict where order_id = own.id)
  `.execute(database());
  return rows;
}

/**
 * Product §8: whose guarantees would be answered otherwise if these tips were settled so, as the record of their periods stands now and would
 * stand; those that were judged stay as they are. Holds and writes nothing.
 */
export async function previewGuarantees(would: readonly WouldSettle[]): Promise<PreviewedGuarantee[]> {
  const facts = new Map(would.map((tip) => [tip.tipId, tip.facts]));
  const previewed: PreviewedGuarantee[] = [];
  for (const [portfolioId, sold] of grouped(await readSold([...new Set(would.map((tip) => tip.portfolioId))]))) {
    const touched = would.filter((tip) => tip.portfolioId === portfolioId);
    const periods = sold
      .map(({ countedFrom, period, periodNumber, promises }) => ({
        promises,
        from: afterPeriods(countedFrom, period, periodNumber - 1),
        until: afterPeriods(countedFrom, period, periodNumber),
      }))
      .filter(({ from, until }) => touched.some(({ publishedAt: at }) => at >= from && at < until));
    if (periods.length === 0) continue;
    const tips = await readPublished(
      portfolioId,
      new Date(Math.min(...periods.map(({ from }) => from.getTime()))),
      new Date(Math.max(...periods.map(({ until }) => until.getTime()))),
    );
    const before = tips.map(periodTip);
    const after = tips.map((tip) => periodTip({ ...tip, facts: facts.get(tip.tipId) ?? tip.facts }));
    const answers = periods.map(({ promises, from, until }) => {
      const within = (all: readonly PeriodTip[]) =>
        periodRecord(all.filter(({ publishedAt: at }) => at >= from && at < until));
      return [keepsPromises(promises, within(before)), keepsPromises(promises, within(after))] as const;
    });
    const missed = answers.filter(([was, is]) => was && !is).length;
    const kept = answers.filter(([was, is]) => !was && is).length;
    if (missed + kept > 0) previewed.push({ portfolioId, missed, kept });
  }
  return previewed;
}

function grouped(sold: readonly Sold[]): Map<number, Sold[]> {
  const groups = new Map<number, Sold[]>();
  for (const each of sold) groups.set(each.portfolioId, [...(groups.get(each.portfolioId) ?? []), each]);
  return groups;
}
