import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { isoText } from '@/lib/platform/iso-text';
import type { MarketKind } from '@/lib/fixtures/schema';
import { marketBeside, scoreText, selectionName } from '@/lib/fixtures/rules';
import { priceIn, type StoredPrice, totalOddsThousandths } from '@/lib/odds/rules';
import type { EachWayTerms, SettlementOutcome } from '@/lib/odds/schema';
import { type CurrencyId, sports } from '@/lib/reference/schema';
import type { LegSettlement } from '@/lib/record/schema';
import { hundredthsOf } from '@/lib/stats/rules';
import type { Exact } from '@/lib/stats/schema';
import type { BetLegView, BetView } from '../schema/bets';

type LegRecord = {
  fixtureReference: string;
  fixtureName: string;
  sportId: number;
  startsAt: string;
  kind: MarketKind;
  lineHundredths: number;
  period: 'full-time' | 'half-time';
  key: string;
  name: string;
  bookmakerName: string;
  price: StoredPrice;
  ownPrice: boolean;
  eachWay: EachWayTerms | null;
  home: number | null;
  away: number | null;
};

type SettlementRecord = {
  version: number;
  outcome: SettlementOutcome;
  staked: number;
  profit: string;
  returned: string;
  reason: string | null;
  settledAt: string;
  legs: LegSettlement[];
};

/** A bet as SQL gives it. */
export type BetRecordRow = {
  reference: string;
  placedAt: Date;
  enteredAt: Date;
  firstStartsAt: Date;
  stakeMinor: number;
  currencyId: CurrencyId;
  eachWay: boolean;
  tip: BetView['tip'];
  legs: LegRecord[];
  settlement: SettlementRecord | null;
};

/** Selects bets with their legs, their tip and their newest settlement; `rest` is what follows the joins, from `where` on. */
export function selectBets(rest: RawBuilder<unknown>): RawBuilder<BetRecordRow> {
  return sql<BetRecordRow>`
    select bet.reference, bet.placed_at as "placedAt", bet.entered_at as "enteredAt", bet.first_starts_at as "firstStartsAt", bet.stake_minor as "stakeMinor",
      bet.currency_id as "currencyId", bet.each_way as "eachWay",
      (select jsonb_build_object('portfolioReference', portfolio.reference, 'portfolioName', portfolio.name, 'reference', tip.reference)
        from tip join portfolio on portfolio.id = tip.portfolio_id where tip.id = bet.tip_id) as tip,
      (select jsonb_agg(jsonb_build_object('fixtureReference', details -> 'fixture', 'fixtureName', details -> 'fixtureName', 'sportId', details -> 'sportId', 'startsAt', ${isoText(sql`leg.starts_at`)},
          'kind', details -> 'market' -> 'kind', 'lineHundredths', details -> 'market' -> 'lineHundredths', 'period', details -> 'market' -> 'period',
          'key', details -> 'selection' -> 'key', 'name', details -> 'selection' -> 'name',
          'bookmakerName', details -> 'bookmakerName', 'price', jsonb_build_array(leg.odds_thousandths, leg.numerator, leg.denominator), 'ownPrice', leg.own_price,
          'eachWay', case when leg.each_way_places is not null then jsonb_build_object('places', leg.each_way_places, 'basis', leg.each_way_basis,
            'fraction', jsonb_build_object('numerator', leg.each_way_numerator, 'denominator', leg.each_way_denominator)) end,
          'home', result.home_score, 'away', result.away_score) order by leg.position)
        from bet_leg leg
        left join fixture on fixture.reference = details ->> 'fixture'
        left join lateral (select * from fixture_result where fixture_id = fixture.id order by version desc limit 1) result on true
        where leg.bet_id = bet.id) as legs,
      (select jsonb_build_object('version', version, 'outcome', outcome, 'staked', staked_minor, 'profit', profit_microunits::text, 'returned', return_microunits::text,
          'reason', reason, 'settledAt', ${isoText(sql`settled_at`)}, 'legs', settled.legs)
        from bet_settlement settled where settled.bet_id = bet.id order by version desc limit 1) as settlement
    from bet
    ${rest}`;
}

function legOf({ price, ...leg }: LegRecord, settled: LegSettlement | undefined): BetLegView {
  const { fixtureReference, fixtureName, startsAt, bookmakerName, ownPrice, eachWay, home, away } = leg;
  const sportReference = sports.find(({ id }) => id === leg.sportId)?.reference ?? '';
  return {
    ...{ fixtureReference, fixtureName, startsAt, bookmakerName, ownPrice, eachWay },
    sportReference,
    marketName: marketBeside({ ...leg, sportReference }),
    selectionName: selectionName(leg),
    price: priceIn(price),
    finalScore: home === null || away === null ? null : scoreText(home, away),
    outcome: settled?.kind === 'settled' ? settled.outcome : null,
    rule: settled?.rule ?? null,
  };
}

/** Product §1: an exact amount of microunits in minor units, or hundredths of a unit, rounded once. */
const minorOf = (microunits: string): Exact => hundredthsOf(BigInt(microunits));

/** The bet as its member sees it. */
export function betOf(record: BetRecordRow): BetView {
  const { placedAt, enteredAt, firstStartsAt, settlement } = record;
  return {
    reference: record.reference,
    placedAt: placedAt.toISOString(),
    enteredAt: enteredAt.toISOString(),
    enteredLate: enteredAt >= firstStartsAt,
    firstStartsAt: firstStartsAt.toISOString(),
    stakeMinor: record.stakeMinor,
    currencyId: record.currencyId,
    eachWay: record.eachWay,
    legs: record.legs.map((leg, index) => legOf(leg, settlement?.legs[index])),
    totalOddsThousandths: totalOddsThousandths(record.legs.map(({ price }) => priceIn(price))),
    tip: record.tip,
    settlement: settlement && {
      version: settlement.version,
      outcome: settlement.outcome,
      stakedMinor: settlement.staked,
      returnMinor: minorOf(settlement.returned),
      profitMinor: minorOf(settlement.profit),
      reason: settlement.reason,
      settledAt: settlement.settledAt,
    },
  };
}
