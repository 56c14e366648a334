import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import type { MarketKind } from '@/lib/fixtures/schema';
import { PortfolioVisibility } from '@/lib/reference/schema/enumerations';
import { sports } from '@/lib/reference/schema/sports';
import { fixtureOutcomeOf, type StoredResult } from '../rules/stored-result';
import { settingsFor } from '../rules/settings';
import type { TipInput } from '../schema';
import { listSettings } from './settings';

/** A tip as settlement reads it: what to settle, and what its record and statistics need. */
export type SettlingTip = {
  tipId: number;
  reference: string;
  portfolioId: number;
  portfolioReference: string;
  /** False for a tip of a personal portfolio, which is not on the public record. */
  isRecorded: boolean;
  /** The newest version of its settlement, 0 before the first. */
  settledVersion: number;
  input: TipInput;
  legs: { fixtureReference: string; fixtureId: number; resultVersion: number }[];
};

type LegRow = {
  tipId: number;
  reference: string;
  portfolioId: number;
  portfolioReference: string;
  visibility: PortfolioVisibility;
  settledVersion: number;
  publishedAt: Date;
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
  bookmakerId: number;
  result: StoredResult;
};

/** The tips of these ids with their legs and what is known of each fixture now, in the order of their ids. */
export async function readSettlingTips(tipIds: readonly number[]): Promise<SettlingTip[]> {
  const { rows } = await sql<LegRow>`
    select tip.id as "tipId", tip.reference, portfolio.id as "portfolioId", portfolio.reference as "portfolioReference", portfolio.visibility,
      (select coalesce(max(version), 0) from tip_settlement settled where settled.tip_id = tip.id) as "settledVersion", tip.published_at as "publishedAt",
      tip.stake_hundredths as "stakeHundredths", league.sport_id as "sportId", fixture.id as "fixtureId", fixture.reference as "fixtureReference",
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
    from tip
    join portfolio on portfolio.id = tip.portfolio_id
    join tip_leg leg on leg.tip_id = tip.id
    join fixture on fixture.id = leg.fixture_id
    join league on league.id = fixture.league_id
    join market on market.id = leg.market_id
    join selection on selection.id = leg.selection_id
    left join lateral (select * from fixture_result where fixture_id = fixture.id order by version desc limit 1) result on true
    where tip.id = any(${[...tipIds]}::int[])
    order by tip.id, leg.position
  `.execute(database());
  const settings = await listSettings();
  const tips = new Map<number, SettlingTip>();
  for (const row of rows) {
    const sportReference = sports.find(({ id }) => id === row.sportId)?.reference ?? '';
    const tip = tips.get(row.tipId) ?? {
      tipId: row.tipId,
      reference: row.reference,
      portfolioId: row.portfolioId,
      portfolioReference: row.portfolioReference,
      isRecorded: row.visibility !== PortfolioVisibility.personal,
      settledVersion: row.settledVersion,
      input: { stakeHundredths: row.stakeHundredths, legs: [] },
      legs: [],
    };
    tips.set(row.tipId, tip);
    tip.legs.push({ fixtureReference: row.fixtureReference, fixtureId: row.fixtureId, resultVersion: row.result.version });
    tip.input.legs.push({
      leg: {
        sportReference,
        price: { oddsThousandths: row.odds, fraction: row.numerator === null || row.denominator === null ? null : { numerator: row.numerator, denominator: row.denominator } },
        market: { kind: row.kind, lineHundredths: row.lineHundredths, period: row.period, includesOvertime: row.includesOvertime, listedKeys: row.listedKeys ?? [] },
        selection: { key: row.key, participantId: row.participantId },
        placedAt: row.publishedAt.toISOString(),
        startsAt: row.startsAt.toISOString(),
        eachWay:
          row.places === null || row.placeNumerator === null || row.placeDenominator === null || row.basis === null
            ? null
            : { places: row.places, fraction: { numerator: row.placeNumerator, denominator: row.placeDenominator }, basis: row.basis },
      },
      outcome: fixtureOutcomeOf(row.result, sportReference),
      settings: settingsFor(settings, { sportReference, bookmakerId: row.bookmakerId, at: row.publishedAt }),
    });
  }
  return [...tips.values()];
}
