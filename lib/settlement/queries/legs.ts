import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { database } from '@/lib/platform/database';
import type { MarketKind } from '@/lib/fixtures/schema';
import { PortfolioVisibility } from '@/lib/reference/schema/enumerations';
import { sports } from '@/lib/reference/schema/sports';
import { fixtureOutcomeOf, type StoredResult } from '../rules/stored-result';
import { settingsFor } from '../rules/settings';
import type { TipInput } from '../schema';
import { listSettings } from './settings';

/** A bet as settlement reads it: what to settle, and by which version of each fixture's result. */
export type SettlingBet = { betId: number; input: TipInput; legs: { fixtureReference: string; fixtureId: number; resultVersion: number }[] };

/** A tip as settlement reads it: what to settle, and what its record and statistics need. */
export type SettlingTip = Omit<SettlingBet, 'betId'> & {
  tipId: number;
  reference: string;
  portfolioId: number;
  portfolioReference: string;
  /** False for a tip of a personal portfolio, which is not on the public record. */
  isRecorded: boolean;
  /** The newest version of its settlement, 0 before the first. */
  settledVersion: number;
};

type TipRow = { tipId: number; reference: string; portfolioId: number; portfolioReference: string; visibility: PortfolioVisibility; settledVersion: number };

type LegRow = {
  betId: number;
  placedAt: Date;
  stakeHundredths: number;
  sportId: number;
  fixtureId: number;
  fixtureReference: string;
  odds: number;
  numerator: number | null;
  denominator: number | null;
  kind: MarketKind;
  lineHundredths: number;
  period: 'full-time' | 'half-time';
  includesOvertime: boolean;
  listedKeys: string[] | null;
  key: string;
  participantId: number | null;
  startsAt: Date;
  places: number | null;
  placeNumerator: number | null;
  placeDenominator: number | null;
  basis: 'standard' | 'fixed' | null;
  bookmakerId: number | null;
  result: StoredResult;
};

/** The tips of these ids with their legs and what is known of each fixture now, in the order of their ids. */
export async function readSettlingTips(tipIds: readonly number[]): Promise<SettlingTip[]> {
  const ids = [...tipIds];
  const { rows } = await sql<TipRow>`
    select tip.id as "tipId", tip.reference, portfolio.id as "portfolioId", portfolio.reference as "portfolioReference", portfolio.visibility,
      (select coalesce(max(version), 0) from tip_settlement settled where settled.tip_id = tip.id) as "settledVersion"
    from tip join portfolio on portfolio.id = tip.portfolio_id where tip.id = any(${ids}::int[])
  `.execute(database());
  const tips = new Map(rows.map((row) => [row.tipId, row]));
  const bets = await readSettlingBets(
    sql`(select id, published_at as placed_at, stake_hundredths from tip where id = any(${ids}::int[]))`,
    sql`(select tip_id as bet_id, tip_leg.* from tip_leg where tip_id = any(${ids}::int[]))`,
  );
  return bets.flatMap(({ betId, ...bet }) => {
    const tip = tips.get(betId);
    if (!tip) return [];
    const { visibility, ...named } = tip;
    return [{ ...bet, ...named, isRecorded: visibility !== PortfolioVisibility.personal }];
  });
}

/**
 * Bets of any kind with their legs and what is known of each fixture now, in the order of their ids. `bets` selects id, placed_at and
 * stake_hundredths (of a unit, or minor units of money), `legs` the columns of a tip's legs with the bet_id that each belongs to.
 */
export async function readSettlingBets(bets: RawBuilder<unknown>, legs: RawBuilder<unknown>): Promise<SettlingBet[]> {
  const { rows } = await sql<LegRow>`
    select bet.id as "betId", bet.placed_at as "placedAt", bet.stake_hundredths as "stakeHundredths", league.sport_id as "sportId", fixture.id as "fixtureId", fixture.reference as "fixtureReference",
      leg.odds_thousandths as odds, leg.numerator, leg.denominator, market.kind, market.line_hundredths as "lineHundredths", market.period,
      market.includes_overtime as "includesOvertime",
      case when market.kind = 'correct-score' then (select array_agg(s.key order by s.position) from selection s where s.market_id = market.id) end as "listedKeys",
      selection.key, selection.participant_id as "participantId", leg.starts_at as "startsAt", leg.each_way_places as places,
      leg.each_way_numerator as "placeNumerator", leg.each_way_denominator as "placeDenominator", leg.each_way_basis as basis, leg.bookmaker_id as "bookmakerId",
      jsonb_build_object(
        'version', coalesce(result.version, 0), 'startsAt', to_char(fixture.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'home', result.home_score, 'away', result.away_score, 'scores', coalesce(result.scores, '[]'), 'positions', coalesce(result.positions, '[]'),
        'placesKnown', coalesce(result.places_known, 0), 'abandoned', coalesce(result.abandoned, false), 'handicap', fixture.handicap,
        'runners', coalesce((select jsonb_agg(jsonb_build_object('participantId', runner.participant_id, 'name', participant.name,
            'withdrawnAt', to_char(runner.withdrawn_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'thousandths', runner.withdrawal_thousandths,
            'numerator', runner.withdrawal_numerator, 'denominator', runner.withdrawal_denominator) order by runner.position)
          from runner join participant on participant.id = runner.participant_id where runner.fixture_id = fixture.id), '[]')) as result
    from ${bets} bet
    join ${legs} leg on leg.bet_id = bet.id
    join fixture on fixture.id = leg.fixture_id
    join league on league.id = fixture.league_id
    join market on market.id = leg.market_id
    join selection on selection.id = leg.selection_id
    left join lateral (select * from fixture_result where fixture_id = fixture.id order by version desc limit 1) result on true
    order by bet.id, leg.position
  `.execute(database());
  const settings = await listSettings();
  const read = new Map<number, SettlingBet>();
  for (const row of rows) {
    const sportReference = sports.find(({ id }) => id === row.sportId)?.reference ?? '';
    const bet = read.get(row.betId) ?? { betId: row.betId, input: { stakeHundredths: row.stakeHundredths, legs: [] }, legs: [] };
    read.set(row.betId, bet);
    bet.legs.push({ fixtureReference: row.fixtureReference, fixtureId: row.fixtureId, resultVersion: row.result.version });
    bet.input.legs.push({
      leg: {
        sportReference,
        price: { oddsThousandths: row.odds, fraction: row.numerator === null || row.denominator === null ? null : { numerator: row.numerator, denominator: row.denominator } },
        market: { kind: row.kind, lineHundredths: row.lineHundredths, period: row.period, includesOvertime: row.includesOvertime, listedKeys: row.listedKeys ?? [] },
        selection: { key: row.key, participantId: row.participantId },
        placedAt: row.placedAt.toISOString(),
        startsAt: row.startsAt.toISOString(),
        eachWay:
          row.places === null || row.placeNumerator === null || row.placeDenominator === null || row.basis === null
            ? null
            : { places: row.places, fraction: { numerator: row.placeNumerator, denominator: row.placeDenominator }, basis: row.basis },
      },
      outcome: fixtureOutcomeOf(row.result, sportReference),
      settings: settingsFor(settings, { sportReference, bookmakerId: row.bookmakerId, at: row.placedAt }),
    });
  }
  return [...read.values()];
}
