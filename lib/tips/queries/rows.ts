import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { MarketKind } from '@/lib/fixtures/schema';
import { marketBeside, selectionName } from '@/lib/fixtures/rules';
import { betText } from '@/lib/fixtures/rules/bet-text';
import { exactOdds } from '@/lib/odds/rules/book';
import type { Price } from '@/lib/odds/schema';
import type { PortfolioVisibility } from '@/lib/reference/schema/enumerations';
import { sports } from '@/lib/reference/schema/sports';
import type { LegSettlement } from '@/lib/settlement/schema';
import type { Viewer } from '@/lib/access/schema';
import { canReadAnalysis, legsLock } from '../rules';
import type { TipLegView, TipView } from '../schema';

type Quoted = [thousandths: number, numerator: number | null, denominator: number | null];

type LegRecord = {
  fixtureReference: string;
  fixtureName: string;
  homeName: string | null;
  awayName: string | null;
  sportId: number;
  leagueName: string;
  startsAt: string;
  kind: MarketKind;
  lineHundredths: number;
  period: 'full-time' | 'half-time';
  selectionId: number;
  key: string;
  name: string;
  bookmakerName: string;
  price: Quoted;
  priceAt: string;
  now: Quoted | null;
  closing: Quoted | null;
  places: number | null;
  fraction: string | null;
  home: number | null;
  away: number | null;
};

type SettlementRecord = { version: number; outcome: string; staked: number; profit: number; returned: number; reason: string | null; settledAt: string; sequence: number | null; legs: LegSettlement[] };

/** A tip as SQL gives it, whole: nothing of it leaves before `tipOf` has taken out what the viewer may not see. */
export type TipRecord = {
  id: number;
  reference: string;
  portfolioId: number;
  portfolioReference: string;
  portfolioName: string;
  visibility: PortfolioVisibility;
  tipledgerPro: boolean;
  demo: boolean;
  publishedAt: Date;
  firstStartsAt: Date;
  stakeHundredths: number;
  eachWay: boolean;
  free: boolean;
  hidden: boolean;
  analysis: string;
  legs: LegRecord[];
  settlements: SettlementRecord[] | null;
  ledgerSequence: number | null;
};

const isoText = (column: RawBuilder<unknown>) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Selects tips with legs, settlements (newest first) and their place in the record; `rest` is what follows the joins, from `where` on. */
export function selectTips(rest: RawBuilder<unknown>): RawBuilder<TipRecord> {
  return sql<TipRecord>`
    select tip.id, tip.reference, portfolio.id as "portfolioId", portfolio.reference as "portfolioReference", portfolio.name as "portfolioName",
      portfolio.visibility, portfolio.tipledger_pro as "tipledgerPro", portfolio.demo, tip.published_at as "publishedAt",
      tip.first_starts_at as "firstStartsAt", tip.stake_hundredths as "stakeHundredths", tip.each_way as "eachWay", tip.free, tip.hidden, tip.analysis,
      (select jsonb_agg(jsonb_build_object('fixtureReference', fixture.reference, 'fixtureName', fixture.name,
          'homeName', home.name, 'awayName', away.name, 'sportId', league.sport_id, 'leagueName', league.name,
          'startsAt', ${isoText(sql`leg.starts_at`)}, 'kind', market.kind, 'lineHundredths', market.line_hundredths, 'period', market.period,
          'selectionId', selection.id, 'key', selection.key, 'name', selection.name, 'bookmakerName', bookmaker.name,
          'price', jsonb_build_array(leg.odds_thousandths, leg.numerator, leg.denominator), 'priceAt', ${isoText(sql`leg.price_at`)},
          'now', case when price.pulled_at is null then jsonb_build_array(price.odds_thousandths, price.numerator, price.denominator) end,
          'closing', case when price.closing_thousandths is not null then jsonb_build_array(price.closing_thousandths, price.closing_numerator, price.closing_denominator) end,
          'places', leg.each_way_places, 'fraction', leg.each_way_numerator || '/' || leg.each_way_denominator,
          'home', result.home_score, 'away', result.away_score) order by leg.position)
        from tip_leg leg join fixture on fixture.id = leg.fixture_id join league on league.id = fixture.league_id
        join market on market.id = leg.market_id join selection on selection.id = leg.selection_id join bookmaker on bookmaker.id = leg.bookmaker_id
        left join participant home on home.id = fixture.home_id left join participant away on away.id = fixture.away_id
        left join price on price.selection_id = leg.selection_id and price.bookmaker_id = leg.bookmaker_id
        left join lateral (select * from fixture_result where fixture_id = fixture.id order by version desc limit 1) result on true
        where leg.tip_id = tip.id) as legs,
      (select jsonb_agg(jsonb_build_object('version', version, 'outcome', outcome, 'staked', staked_hundredths, 'profit', profit_microunits, 'returned', return_microunits,
          'reason', reason, 'settledAt', ${isoText(sql`settled_at`)}, 'sequence', sequence, 'legs', settlement.legs) order by version desc)
        from tip_settlement settlement where settlement.tip_id = tip.id) as settlements,
      (select min(sequence) from ledger_entry where ledger_entry.tip = tip.reference) as "ledgerSequence"
    from tip join portfolio on portfolio.id = tip.portfolio_id
    ${rest}`;
}

const priceOf = ([oddsThousandths, numerator, denominator]: Quoted): Price => ({ oddsThousandths, fraction: numerator === null || denominator === null ? null : { numerator, denominator } });

function legOf(leg: LegRecord, settled: LegSettlement | undefined): TipLegView {
  return {
    bet: betText({ ...leg, eachWay: leg.places !== null }),
    fixtureReference: leg.fixtureReference,
    fixtureName: leg.fixtureName,
    sportReference: sports.find(({ id }) => id === leg.sportId)?.reference ?? '',
    leagueName: leg.leagueName,
    startsAt: leg.startsAt,
    marketName: marketBeside(leg),
    selectionId: leg.selectionId,
    selectionName: selectionName(leg),
    bookmakerName: leg.bookmakerName,
    price: priceOf(leg.price),
    priceAt: leg.priceAt,
    priceNow: leg.now && priceOf(leg.now),
    closingPrice: leg.closing && priceOf(leg.closing),
    eachWayPlaces: leg.places,
    eachWayFraction: leg.fraction,
    finalScore: leg.home === null || leg.away === null ? null : `${leg.home}–${leg.away}`,
    outcome: settled?.kind === 'settled' ? settled.outcome : null,
    rule: settled?.rule ?? null,
  };
}

const hundredths = (microunits: number) => Math.round(microunits / 10_000);

/** The tip as this viewer sees it at `now`: what is locked is not there at all. */
export function tipOf(viewer: Viewer, record: TipRecord, now: Date): TipView {
  const { portfolioId, visibility, tipledgerPro, free, hidden, firstStartsAt } = record;
  const lockable = { portfolio: { id: portfolioId, visibility, tipledgerPro }, free, hidden, firstStartsAt };
  const lock = legsLock(viewer, lockable, now);
  const settlements = record.settlements ?? [];
  const legs = lock ? [] : record.legs.map((leg, index) => legOf(leg, settlements[0]?.legs[index]));
  const odds = legs.reduce((product, { price }) => product * exactOdds(price).valueOf(), 1);
  return {
    reference: record.reference,
    portfolioReference: record.portfolioReference,
    portfolioName: record.portfolioName,
    publishedAt: record.publishedAt.toISOString(),
    firstStartsAt: firstStartsAt.toISOString(),
    started: firstStartsAt <= now,
    stakeHundredths: record.stakeHundredths,
    eachWay: record.eachWay,
    free,
    hidden,
    legCount: record.legs.length,
    lock,
    legs,
    totalOddsThousandths: lock ? null : Math.round(odds * 1000),
    analysis: canReadAnalysis(viewer, lockable, now) ? record.analysis : null,
    settlements: settlements.map(({ version, outcome, staked, profit, returned, reason, settledAt, sequence }) => ({
      version,
      outcome,
      stakedHundredths: staked,
      profitHundredths: hundredths(profit),
      returnHundredths: hundredths(returned),
      reason,
      settledAt,
      sequence,
    })),
    ledgerSequence: record.ledgerSequence,
    demo: record.demo,
  };
}
