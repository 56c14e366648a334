import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { reads } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import { readSettlingTips } from '@/lib/settlement/queries';
import { decideTip } from '@/lib/settlement/rules';
import { priceStill } from '../rules/min-price';
import type { TipPage, TipPrices, TipView } from '../schema';
import { findable } from './latest';
import { isOpenToAll, selectTips, type TipRecord, tipOf } from './rows';

/** Ours: tips on a page of a list. */
export const tipsAPage = 20;

// Spec §9: half of the standard ten minutes, as for the fixtures whose prices and results a tip shows.
const tipTtlSeconds = 300;

const declare = (rows: readonly TipRecord[]) =>
  reads(
    rows.flatMap(({ publication }) => publication.legs.map(({ fixture }) => `fixture:${fixture}`)),
    tipTtlSeconds,
  );

/** Which tips of a portfolio: all, those that wait for a result, or those that have one. */
export type TipState = 'all' | 'open' | 'settled';

/** A tip of a portfolio as the viewer sees it, with what is postponed of it; Failure 'missing' when there is none or the portfolio is not the viewer's to see. */
export async function getTip(
  viewer: Viewer,
  portfolioReference: string,
  reference: string,
  now: Date,
): Promise<TipView> {
  const portfolio = await getPortfolio(viewer, portfolioReference);
  const isReference = /^[a-z0-9]{10}$/.test(reference);
  const { rows } = isReference
    ? await selectTips(sql`where tip.portfolio_id = ${portfolio.id} and tip.reference = ${reference}`).execute(
        database(),
      )
    : { rows: [] };
  if (!rows[0]) throw new Failure('missing', 'There is no such tip in this portfolio.');
  declare(rows);
  return withPostponed(rows[0].id, tipOf(viewer, rows[0], now), now);
}

// One whose legs cannot be decided is set aside by settlement, and keeps nobody from its page.
function decidedLegs(...given: Parameters<typeof decideTip>): ReturnType<typeof decideTip>['legs'] {
  try {
    return decideTip(...given).legs;
  } catch {
    return [];
  }
}

// What settlement waits for until the window of a postponed fixture is over.
async function withPostponed(tipId: number, tip: TipView, now: Date): Promise<TipView> {
  if (tip.settlements.length > 0 || tip.legs.length === 0) return tip;
  const [settling] = await readSettlingTips([tipId]);
  const known = settling ? decidedLegs(settling.input, now) : [];
  return {
    ...tip,
    legs: tip.legs.map((leg, index) => {
      const waiting = known[index];
      return waiting?.kind === 'undecided' && waiting.reason === 'postponed'
        ? { ...leg, rule: waiting.rule, postponedUntil: waiting.until }
        : leg;
    }),
  };
}

/** A page of a portfolio's tips, newest first, after the first `skip`; with `openOnly` of those whose legs everybody may read. */
export async function listTips(
  viewer: Viewer,
  portfolioReference: string,
  {
    state,
    skip,
    limit = tipsAPage,
    openOnly = false,
  }: { state: TipState; skip: number; limit?: number; openOnly?: boolean },
  now: Date,
): Promise<TipPage> {
  const portfolio = await getPortfolio(viewer, portfolioReference);
  const settled = sql`exists (select 1 from tip_settlement where tip_settlement.tip_id = tip.id)`;
  const inState = { all: sql`true`, open: sql`not ${settled}`, settled }[state];
  const readable = openOnly
    ? sql`exists (select 1 from portfolio where portfolio.id = tip.portfolio_id and ${isOpenToAll(now)})`
    : sql`true`;
  // Their ids first: what is shown of a tip would be computed for each that is skipped, too.
  const { rows } = await selectTips(sql`
    where tip.id in (
      select tip.id from tip where tip.portfolio_id = ${portfolio.id} and ${inState} and ${readable} order by tip.published_at desc, tip.id desc limit ${limit + 1} offset ${skip})
    order by tip.published_at desc, tip.id desc`).execute(database());
  declare(rows);
  return {
    items: rows.slice(0, limit).map((row) => tipOf(viewer, row, now)),
    next: rows.length > limit ? skip + limit : null,
  };
}

/** The tips of these references that are in the portfolio, in the order given. */
export async function listTipsNamed(
  viewer: Viewer,
  portfolioReference: string,
  references: readonly string[],
  now: Date,
): Promise<TipView[]> {
  const portfolio = await getPortfolio(viewer, portfolioReference);
  if (references.length === 0) return [];
  const { rows } = await selectTips(
    sql`where tip.portfolio_id = ${portfolio.id} and tip.reference = any(${[...references]}::text[])`,
  ).execute(database());
  declare(rows);
  return rows
    .map((row) => tipOf(viewer, row, now))
    .sort((a, b) => references.indexOf(a.reference) - references.indexOf(b.reference));
}

/** What the prices of these tips are now for the viewer; of those alone that everybody may find, and that are open for this viewer and can still be taken. */
export async function listTipPrices(viewer: Viewer, references: readonly string[], now: Date): Promise<TipPrices> {
  const { rows } = await selectTips(sql`where tip.reference = any(${[...references]}::text[]) and ${findable}`).execute(
    database(),
  );
  return {
    tips: rows.flatMap((row) => {
      const tip = tipOf(viewer, row, now);
      const still = priceStill(tip);
      return still ? [{ reference: tip.reference, ...still, legs: tip.legs.map(({ bestNow }) => bestNow) }] : [];
    }),
  };
}
