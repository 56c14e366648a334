import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { isBookmakerVisible, priceIn } from '@/lib/odds/rules';
import { findPauseEnd, refuseWhilePaused } from '@/lib/pauses/queries';
import { database, isDatabaseTrouble, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { decisionMoment } from '@/lib/platform/moment';
import { once } from '@/lib/platform/once';
import { getPortfolio } from '@/lib/portfolios/queries';
import { listBookmakers } from '@/lib/reference/queries';
import { type CurrencyId, PortfolioVisibility, sports } from '@/lib/reference/schema';
import { lockLegs } from '@/lib/tips/commands';
import { readLegs } from '@/lib/tips/queries';
import type { TipView } from '@/lib/tips/schema';
import { type AutobetRule, isMeant, judgeAutobet, type Judged, type Offer, stakeOf } from '../rules/autobets';
import { type DueAutobet, findAutobetRule } from '../queries/autobets';
import { memberId } from '../queries/bets';
import { type LegIds, readTip } from '../queries/tip-legs';
import {
  type AutobetRuleInput,
  autobetRuleInputSchema,
  type AutobetRuleView,
  type MissedReason,
} from '../schema/autobets';
import { betInputSchema } from '../schema/bets';
import { storeBet } from './bets';

/**
 * Product §8: sets the viewer's rule for the tips of a portfolio from now on. Failure 'unauthorised', 'missing' for a portfolio that the viewer does
 * not see, 'invalid' for what is no rule, 'forbidden' for one that is on during a break from betting, 'conflict' for a portfolio that publishes nothing any more.
 */
export async function setAutobetRule(
  viewer: Viewer,
  reference: string,
  given: AutobetRuleInput,
  now: Date,
  key?: string,
): Promise<AutobetRuleView> {
  const accountId = memberId(viewer);
  const input = autobetRuleInputSchema.parse(given);
  return once({ accountId, key, request: ['set-autobet-rule', reference, input] }, now, async () => {
    const portfolio = await getPortfolio(viewer, reference);
    if (portfolio.type === PortfolioVisibility.personal)
      throw new Failure('missing', 'A personal portfolio has no followers, and so no autobets.');
    if (portfolio.abandoned && input.enabled)
      throw new Failure('conflict', 'This portfolio is closed: there will be no new tips to record.');
    const sportIds = sports.flatMap(({ id, reference: sport }) => (input.sports.includes(sport) ? [id] : []));
    const at = await decisionMoment();
    if (input.enabled) await refuseWhilePaused(viewer, at);
    // A rule that was off asks for nothing that was published meanwhile.
    await sql`
      insert into autobet_rule (account_id, portfolio_id, enabled, unit_minor, most_minor, currency_id, least_odds_thousandths, sport_ids, since, changed_at)
      values (${accountId}, ${portfolio.id}, ${input.enabled}, ${input.unitMinor}, ${input.mostMinor}, ${input.currencyId}, ${input.leastOddsThousandths}, ${sportIds}::smallint[], ${at}, ${at})
      on conflict (account_id, portfolio_id) do update set enabled = excluded.enabled, unit_minor = excluded.unit_minor, most_minor = excluded.most_minor,
        currency_id = excluded.currency_id, least_odds_thousandths = excluded.least_odds_thousandths, sport_ids = excluded.sport_ids,
        since = case when autobet_rule.enabled then autobet_rule.since else excluded.since end, changed_at = excluded.changed_at
    `.execute(database());
    const rule = await findAutobetRule(viewer, reference);
    if (!rule) throw new Error('The rule that was just set is not there.');
    return rule;
  });
}

/** Takes the viewer's rule for a portfolio away; what it recorded stays. Failure 'missing' where there is none. */
export async function removeAutobetRule(viewer: Viewer, reference: string, key?: string): Promise<void> {
  const accountId = memberId(viewer);
  await once({ accountId, key, request: ['remove-autobet', reference] }, await decisionMoment(), async () => {
    const { numAffectedRows } = await sql`
    delete from autobet_rule where account_id = ${accountId} and portfolio_id = (select id from portfolio where reference = ${reference})
  `.execute(database());
    if (numAffectedRows !== 1n) throw new Failure('missing', 'You have no autobet rule for this tipster.');
    return {};
  });
}

type Rule = AutobetRule & { portfolioId: number; currencyId: CurrencyId };

async function holdRule(accountId: number, { portfolioReference, tipReference }: DueAutobet): Promise<Rule | null> {
  await sql`select 1 from account where id = ${accountId} for no key update`.execute(database());
  const { rows } = await sql<Omit<Rule, 'sports'> & { sportIds: number[] }>`
    select rule.portfolio_id as "portfolioId", unit_minor as "unitMinor", most_minor as "mostMinor", currency_id as "currencyId",
      least_odds_thousandths as "leastOddsThousandths", sport_ids as "sportIds"
    from autobet_rule rule join portfolio on portfolio.id = rule.portfolio_id
    where rule.account_id = ${accountId} and portfolio.reference = ${portfolioReference} and enabled
      and not exists (select from autobet join tip on tip.id = tip_id where autobet.account_id = rule.account_id and tip.reference = ${tipReference})
  `.execute(database());
  const [row] = rows;
  if (!row) return null;
  const { sportIds, ...rule } = row;
  return { ...rule, sports: sports.flatMap(({ id, reference }) => (sportIds.includes(id) ? [reference] : [])) };
}

async function findSeen(viewer: Viewer, due: DueAutobet, now: Date): Promise<{ tip: TipView; ids: LegIds[] } | null> {
  try {
    return await readTip(viewer, due.portfolioReference, due.tipReference, now);
  } catch (error) {
    // What the member may not see is no tip for them: locked, hidden until the start, or gone from their sight.
    if (error instanceof Failure && (error.kind === 'forbidden' || error.kind === 'missing')) return null;
    throw error;
  }
}

async function listOffers(
  viewer: Viewer,
  ids: readonly LegIds[],
): Promise<{ offers: Offer[]; hasStarted: boolean; now: Date }> {
  const bookmakers = (await listBookmakers()).filter((bookmaker) =>
    isBookmakerVisible(bookmaker, viewer.countryId, 'addTips'),
  );
  const pairs = bookmakers.flatMap(({ id }) => ids.map(({ selectionId }) => ({ bookmakerId: id, selectionId })));
  await lockLegs(pairs);
  const now = await decisionMoment();
  const rows = await readLegs(pairs.map((pair) => ({ ...pair, at: now })));
  const hasStarted = [...rows.values()].some(
    ({ startsAt, offAt, isUnderWay }) => startsAt <= now || (offAt !== null && offAt <= now) || isUnderWay,
  );
  const offers = bookmakers.map(({ id }, index) => ({
    bookmakerId: id,
    prices: ids.map((_, leg) => {
      const row = rows.get(index * ids.length + leg + 1);
      return row && row.odds !== null && !row.isWithdrawn && !row.isSwitched
        ? priceIn([row.odds, row.numerator, row.denominator])
        : null;
    }),
  }));
  return { offers, hasStarted, now };
}

type Bet = Extract<Judged, { kind: 'bet' }>;
type Meant = { tip: TipView; ids: readonly LegIds[]; rule: Rule; stakeMinor: number };
type Made = { missed: MissedReason | null; oddsThousandths: number | null; betReference: string | null };

async function record(
  viewer: Viewer,
  due: DueAutobet,
  { tip, ids, rule, stakeMinor, bet }: Meant & { bet: Bet },
): Promise<string | null> {
  const input = betInputSchema.parse({
    legs: tip.legs.map(({ fixtureReference }, index) => ({
      fixtureReference,
      selectionId: ids[index]?.selectionId,
      bookmakerId: bet.bookmakerId,
      price: bet.prices[index],
    })),
    stakeMinor,
    currencyId: rule.currencyId,
    eachWay: tip.eachWay,
    tip: { portfolioReference: due.portfolioReference, reference: due.tipReference },
  });
  // With a blank, which no member's key has: nobody can take it beforehand.
  const name = `autobet ${due.tipReference}`;
  try {
    return await transact(() => storeBet(viewer, due.accountId, input, { key: name, requestHash: name }));
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

async function make(viewer: Viewer, due: DueAutobet, meant: Meant): Promise<Made> {
  const { tip, ids, rule } = meant;
  const { offers, hasStarted, now } = await listOffers(viewer, ids);
  const isPaused = (await findPauseEnd(due.accountId, now)) !== null;
  const judged = judgeAutobet(rule, { ...looks(tip), hasStarted, isPaused }, offers);
  const { oddsThousandths } = judged;
  if (judged.kind === 'missed') return { missed: judged.reason, oddsThousandths, betReference: null };
  const betReference = await record(viewer, due, { ...meant, bet: judged });
  return { missed: betReference === null ? 'refused' : null, oddsThousandths, betReference };
}

const looks = ({ stakeHundredths, eachWay, legs }: TipView) => ({
  stakeHundredths,
  eachWay,
  sports: legs.map(({ sportReference }) => sportReference),
});

/**
 * Product §8: what the viewer's rule makes of a tip, once: a bet in their own record at the best price on offer to them now, by the moment that the
 * database tells once fixtures and prices are held, or a missed one with the reason. Nothing of a tip that they may not see or that the rule is not for.
 * Throws where the database was in trouble: nothing was decided then, and it is asked again.
 */
export async function placeAutobet(viewer: Viewer, due: DueAutobet, now: Date): Promise<void> {
  if (memberId(viewer) !== due.accountId) throw new Error('An autobet is recorded for its own member.');
  await transact(async () => {
    const rule = await holdRule(due.accountId, due);
    const seen = rule && (await findSeen(viewer, due, now));
    if (!rule || !seen) return;
    const { tip, ids } = seen;
    if (!isMeant(rule, looks(tip))) return;
    // Without a stake it is a missed one, which tells what the rule would have allowed.
    const stakeMinor = stakeOf(rule, looks(tip)) ?? rule.mostMinor;
    const keep = async ({ missed, oddsThousandths, betReference }: Made) =>
      sql`
        insert into autobet (account_id, tip_id, portfolio_id, at, stake_minor, currency_id, missed, odds_thousandths, bet_reference)
        values (${due.accountId}, ${ids[0]?.tipId ?? 0}, ${rule.portfolioId}, ${await decisionMoment()}, ${stakeMinor}, ${rule.currencyId}, ${missed}, ${oddsThousandths}, ${betReference})
      `.execute(database());
    try {
      await transact(async () => keep(await make(viewer, due, { tip, ids, rule, stakeMinor })));
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error;
      log.error({ event: 'autobet_failed', tip: due.tipReference, err: error });
      await keep({ missed: 'refused', oddsThousandths: null, betReference: null });
    }
  });
}

/** Notes that the rules were asked about everything up to this entry of the ledger. */
export async function finishAutobets(upTo: string): Promise<void> {
  await sql`update autobet_progress set sequence = greatest(sequence, ${upTo}::bigint)`.execute(database());
}
