import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { isoText } from '@/lib/platform/iso-text';
import { areSidesSwitched, exactOddsOf } from '@/lib/fixtures/queries';
import { finalScoreOf } from '@/lib/fixtures/rules';
import { priceIn, type StoredPrice, totalOddsThousandths } from '@/lib/odds/rules';
import type { DetailedLeg, DetailedPublication, LegFacts, LegSettlement, RulingActor } from '@/lib/record/schema';
import type { FixtureStatus, PortfolioVisibility } from '@/lib/reference/schema';
import { hundredthsOf } from '@/lib/stats/rules';
import { latePricesReason } from '@/lib/settlement/rules';
import type { Viewer } from '@/lib/access/schema';
import { canReadAnalysis, legsLock, lockingKinds } from '../rules/publication';
import { tipFollowers } from '../rules/followers';
import { sealedLegView } from '../rules/sealed';
import type { TipLegView, TipView } from '../schema';

/** What moves while a leg stands: its price now and at the close, and its fixture's score. */
type LiveLeg = {
  selectionId: number;
  now: StoredPrice | null;
  closing: StoredPrice | null;
  /** What is on offer, the longest first, and the countries that do not see its bookmaker; null once the tip is settled. */
  offers: [...StoredPrice, bookmakerName: string, countryBlock: number[]][] | null;
  status: FixtureStatus;
  home: number | null;
  away: number | null;
};

type SettlementRecord = {
  version: number;
  outcome: string;
  staked: number;
  profit: string;
  returned: string;
  reason: string | null;
  actor: RulingActor | null;
  settledAt: string;
  sequence: number | null;
  legs: LegSettlement[];
  facts: LegFacts[] | null;
};

/** A tip as SQL gives it, whole: nothing of it leaves before `tipOf` has taken out what the viewer may not see. */
export type TipRecord = {
  id: number;
  reference: string;
  portfolioId: number;
  portfolioReference: string;
  portfolioName: string;
  visibility: PortfolioVisibility;
  demo: boolean;
  publishedAt: Date;
  firstStartsAt: Date;
  free: boolean;
  hidden: boolean;
  analysis: string;
  /** The tip as it was sealed: its legs, names, lines and prices are shown from here alone. */
  publication: DetailedPublication;
  live: LiveLeg[];
  settlements: SettlementRecord[] | null;
  ledgerSequence: number | null;
};

/** SQL that holds for a tip that is for members, by `lockingKinds`. It names `tip` and `portfolio`. */
export const isForMembers: RawBuilder<boolean> = sql`(not tip.free and portfolio.visibility in (${sql.join(lockingKinds)}))`;

/** SQL that holds for a tip whose legs everybody may read at `now`: the law of `legsLock`, for a guest. It names `tip` and `portfolio`. */
export const isOpenToAll = (now: Date): RawBuilder<boolean> =>
  sql`(tip.first_starts_at <= ${now} or (not tip.hidden and not ${isForMembers}))`;

// As it was sealed: the row of a version for late prices carries on whose ruling stands, for no job to undo what staff decided.
const sealedActor = sql`case when settlement.reason is not null then coalesce(
  (select sealed.entry::jsonb #>> '{content,actor}' from ledger_entry sealed where sealed.sequence = settlement.sequence),
  case when settlement.reason = ${latePricesReason} then 'system' else settlement.actor end) end`;

/** Selects tips with legs, settlements (newest first) and their place in the record; `rest` is what follows the joins, from `where` on. */
export function selectTips(rest: RawBuilder<unknown>): RawBuilder<TipRecord> {
  return sql<TipRecord>`
    select tip.id, tip.reference, portfolio.id as "portfolioId", portfolio.reference as "portfolioReference", portfolio.name as "portfolioName",
      portfolio.visibility, portfolio.demo, tip.published_at as "publishedAt",
      tip.first_starts_at as "firstStartsAt", tip.free, tip.hidden, tip.analysis, tip.publication,
      (select jsonb_agg(jsonb_build_object('selectionId', leg.selection_id,
          'now', case when price.pulled_at is null and runner.withdrawn_at is null and not ${areSidesSwitched} then jsonb_build_array(price.odds_thousandths, price.numerator, price.denominator) end,
          'closing', case when price.closing_thousandths is not null then jsonb_build_array(price.closing_thousandths, price.closing_numerator, price.closing_denominator) end,
          'offers', case when not exists (select 1 from tip_settlement where tip_settlement.tip_id = tip.id) and runner.withdrawn_at is null and not ${areSidesSwitched} then (
            select jsonb_agg(jsonb_build_array(offer.odds_thousandths, offer.numerator, offer.denominator, bookmaker.name, to_jsonb(bookmaker.markets_country_block))
                order by ${exactOddsOf('offer')} desc, bookmaker.rating desc nulls last, bookmaker.id)
              from price offer join bookmaker on bookmaker.id = offer.bookmaker_id
              where offer.selection_id = leg.selection_id and offer.pulled_at is null and bookmaker.show_on_markets) end,
          'status', fixture.status, 'home', result.home_score, 'away', result.away_score) order by leg.position)
        from tip_leg leg
        join fixture on fixture.id = leg.fixture_id
        join selection on selection.id = leg.selection_id
        left join runner on runner.fixture_id = leg.fixture_id and runner.participant_id = selection.participant_id
        left join price on price.selection_id = leg.selection_id and price.bookmaker_id = leg.bookmaker_id
        left join lateral (select * from fixture_result where fixture_id = leg.fixture_id order by version desc limit 1) result on true
        where leg.tip_id = tip.id) as live,
      (select jsonb_agg(jsonb_build_object('version', version, 'outcome', outcome, 'staked', staked_hundredths, 'profit', profit_microunits::text, 'returned', return_microunits::text,
          'reason', reason, 'actor', ${sealedActor}, 'settledAt', ${isoText(sql`settled_at`)}, 'sequence', sequence, 'legs', settlement.legs, 'facts', settlement.facts) order by version desc)
        from tip_settlement settlement where settlement.tip_id = tip.id) as settlements,
      (select min(sequence) from ledger_entry where ledger_entry.tip = tip.reference) as "ledgerSequence"
    from tip join portfolio on portfolio.id = tip.portfolio_id
    ${rest}`;
}

function legOf(
  leg: DetailedLeg,
  live: LiveLeg,
  settled: LegSettlement | undefined,
  facts: LegFacts | undefined,
  { countryId, now }: { countryId: number; now: Date },
): TipLegView {
  const isOpen = !settled && new Date(leg.startsAt) > now;
  const finalScore = finalScoreOf(live.home, live.away);
  const best = isOpen ? live.offers?.find(([, , , , countryBlock]) => !countryBlock.includes(countryId)) : undefined;
  return {
    ...sealedLegView(leg),
    selectionId: live.selectionId,
    priceNow: live.now && priceIn(live.now),
    bestNow: best ? { price: priceIn([best[0], best[1], best[2]]), bookmakerName: best[3] } : null,
    closingPrice: facts ? facts.closing : live.closing && priceIn(live.closing),
    finalScore: finalScore?.displayName ?? null,
    score: { status: live.status, finalScore },
    outcome: settled?.kind === 'settled' ? settled.outcome : null,
    rule: settled?.rule ?? null,
    postponedUntil: null,
  };
}

/** The tip as this viewer sees it at `now`: what is locked is not there at all. */
export function tipOf(viewer: Viewer, record: TipRecord, now: Date): TipView {
  const { portfolioId, visibility, free, hidden, firstStartsAt, publication } = record;
  const lockable = { portfolio: { id: portfolioId, visibility }, free, hidden, firstStartsAt };
  const lock = legsLock(viewer, lockable, now);
  const settlements = record.settlements ?? [];
  const legs = lock
    ? []
    : publication.legs.flatMap((leg, index) => {
        const live = record.live[index];
        const { legs: settled, facts } = settlements[0] ?? {};
        return live ? [legOf(leg, live, settled?.[index], facts?.[index], { countryId: viewer.countryId, now })] : [];
      });
  return {
    reference: record.reference,
    portfolioReference: record.portfolioReference,
    portfolioName: record.portfolioName,
    publishedAt: record.publishedAt.toISOString(),
    firstStartsAt: firstStartsAt.toISOString(),
    started: firstStartsAt <= now,
    stakeHundredths: publication.stakeHundredths,
    eachWay: publication.eachWay,
    free,
    hidden,
    legCount: publication.legs.length,
    lock,
    legs,
    minPrice: (lock ? null : publication.minPrice) ?? null,
    totalOddsThousandths: lock ? null : totalOddsThousandths(legs.map(({ price }) => price)),
    analysis: canReadAnalysis(viewer, lockable, now) ? record.analysis : null,
    settlements: settlements.map(
      ({ version, outcome, staked, profit, returned, reason, actor, settledAt, sequence }) => ({
        version,
        outcome,
        stakedHundredths: staked,
        profitHundredths: hundredthsOf(BigInt(profit)),
        returnHundredths: hundredthsOf(BigInt(returned)),
        reason,
        actor,
        settledAt,
        sequence,
      }),
    ),
    followers:
      lock || !settlements[0]?.facts ? [] : tipFollowers(publication, record.publishedAt, settlements[0].facts),
    ledgerSequence: record.ledgerSequence,
    demo: record.demo,
  };
}
