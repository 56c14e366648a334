import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { areSidesSwitched, isPostponed } from '@/lib/fixtures/queries';
import { isoText } from '@/lib/platform/iso-text';
import { priceIn } from '@/lib/odds/rules';
import { arrayOf, database } from '@/lib/platform/database';
import { mapInTurns } from '@/lib/platform/turns';
import type { DetailedLeg, DetailedPublication } from '@/lib/record/schema';
import { PortfolioVisibility, sports } from '@/lib/reference/schema';
import { fixtureOutcomeOf, type StoredResult } from '../rules/stored-result';
import { settingsFor } from '../rules/settings';
import type { TipInput } from '../schema/tips';
import type { FixtureOutcome } from '../schema/outcomes';
import { listSettings } from './settings';

/** A bet as settlement reads it: what to settle, and by which version of each fixture's result. */
export type SettlingBet = {
  betId: number;
  input: TipInput;
  legs: { fixtureReference: string; fixtureId: number; resultVersion: number }[];
};

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
  /** Product §6: its commitment on the record is not opened yet, and nothing that settles it may stand there before. */
  isSealed: boolean;
  publishedAt: Date;
  publication: DetailedPublication;
  input: TipInput;
  legs: {
    fixtureReference: string;
    fixtureId: number;
    resultVersion: number;
    selectionId: number;
    bookmakerId: number;
    publishedAt: Date;
    startsAt: Date;
  }[];
};

type TipRow = {
  tipId: number;
  reference: string;
  publishedAt: Date;
  publication: DetailedPublication;
  portfolioId: number;
  portfolioReference: string;
  visibility: PortfolioVisibility;
  settledVersion: number;
  isSealed: boolean;
  selectionIds: number[];
  bookmakerIds: number[];
};

type FixtureRow = { id: number; reference: string; result: StoredResult };

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
  market: TipInput['legs'][number]['leg']['market'];
  selection: { key: string; participantId: number | null };
  startsAt: Date;
  places: number | null;
  placeNumerator: number | null;
  placeDenominator: number | null;
  basis: 'standard' | 'fixed' | null;
  bookmakerId: number | null;
  result: StoredResult;
};

/** What is stored of the result of `fixture`, of which `result` is the newest version, as JSON. */
const storedResult = sql`
  jsonb_build_object(
    'version', coalesce(result.version, 0), 'startsAt', ${isoText(sql`coalesce(fixture.off_at, fixture.starts_at)`)},
    'startedAt', ${isoText(sql`result.started_at`)}, 'postponed', ${isPostponed},
    'switched', ${areSidesSwitched},
    'givenUp', case when result.started_at is not null then (
      select jsonb_build_object('home', home_score, 'away', away_score, 'scores', scores, 'scorers', scorers) from fixture_result
      where fixture_id = fixture.id and version < result.version and abandoned order by version desc limit 1) end,
    'home', result.home_score, 'away', result.away_score, 'scores', coalesce(result.scores, '[]'), 'scorers', result.scorers, 'ending', result.ending, 'positions', coalesce(result.positions, '[]'),
    'placesKnown', coalesce(result.places_known, 0), 'abandoned', coalesce(result.abandoned, false), 'handicap', fixture.handicap,
    'runners', coalesce((select jsonb_agg(jsonb_build_object('participantId', runner.participant_id, 'name', participant.name,
        'withdrawnAt', ${isoText(sql`runner.withdrawn_at`)}, 'thousandths', runner.withdrawal_thousandths,
        'numerator', runner.withdrawal_numerator, 'denominator', runner.withdrawal_denominator) order by runner.position)
      from runner join participant on participant.id = runner.participant_id where runner.fixture_id = fixture.id), '[]'))`;

const newestResult = sql`left join lateral (select * from fixture_result where fixture_id = fixture.id order by version desc limit 1) result on true`;

async function readFixtures(references: readonly string[]): Promise<Map<string, FixtureRow>> {
  const { rows } = await sql<FixtureRow>`
    select fixture.id, fixture.reference, ${storedResult} as result from fixture ${newestResult} where fixture.reference = any(${[...new Set(references)]}::text[])
  `.execute(database());
  return new Map(rows.map((row) => [row.reference, row]));
}

const participantKey = (sportReference: string, reference: string) => `${sportReference} ${reference}`;

async function readParticipants(legs: readonly DetailedLeg[]): Promise<Map<string, number>> {
  const named = legs.flatMap(({ details: { sport, participant } }) =>
    participant === null
      ? []
      : [{ sportId: sports.find(({ reference }) => reference === sport)?.id ?? 0, participant }],
  );
  if (named.length === 0) return new Map();
  const { rows } = await sql<{ id: number; sportId: number; reference: string }>`
    select id, sport_id as "sportId", reference from participant
    where (sport_id, reference) in (select distinct * from unnest(${named.map(({ sportId }) => sportId)}::smallint[], ${named.map(({ participant }) => participant)}::text[]))
  `.execute(database());
  return new Map(
    rows.map(({ id, sportId, reference }) => [
      participantKey(sports.find((sport) => sport.id === sportId)?.reference ?? '', reference),
      id,
    ]),
  );
}

async function readTips(ids: readonly number[]): Promise<TipRow[]> {
  const { rows } = await sql<TipRow>`
    select tip.id as "tipId", tip.reference, tip.published_at as "publishedAt", tip.publication, portfolio.id as "portfolioId", portfolio.reference as "portfolioReference",
      portfolio.visibility, coalesce((select max(version) from tip_settlement settled where settled.tip_id = tip.id), 0) as "settledVersion",
      exists (select from tip_commitment where tip_id = tip.id and opened_at is null) as "isSealed", legs.selection_ids as "selectionIds", legs.bookmaker_ids as "bookmakerIds"
    from tip join portfolio on portfolio.id = tip.portfolio_id
    join lateral (select array_agg(selection_id order by position) as selection_ids, array_agg(bookmaker_id order by position) as bookmaker_ids from tip_leg where tip_id = tip.id) legs on true
    where tip.id = any(${arrayOf(ids)}::int[])
    order by tip.id
  `.execute(database());
  return rows;
}

/** The outcome of each fixture, made once for all legs on it. */
function outcomesOf(fixtures: ReadonlyMap<string, FixtureRow>): (leg: DetailedLeg) => FixtureOutcome {
  const made = new Map<string, FixtureOutcome>();
  return ({ fixture, startsAt, details: { sport } }) => {
    const key = `${fixture} ${sport}`;
    const row = fixtures.get(fixture);
    const outcome =
      made.get(key) ?? (row ? fixtureOutcomeOf(row.result, sport) : { kind: 'awaiting-result', startsAt });
    made.set(key, outcome);
    return outcome;
  };
}

/**
 * The tips of these ids, each as its publication was sealed, with what is known of its fixtures now, in the order of their ids. Nothing of the
 * bet is read from the tables that it was made from: a fixture is found by its reference, a participant by sport and reference.
 */
export async function readSettlingTips(tipIds: readonly number[]): Promise<SettlingTip[]> {
  const rows = await readTips(tipIds);
  const published = rows.flatMap(({ publication }) => publication.legs);
  const fixtures = await readFixtures(published.map(({ fixture }) => fixture));
  const participants = await readParticipants(published);
  const settings = await listSettings();
  const outcomeOf = outcomesOf(fixtures);
  return mapInTurns(rows, ({ publication, visibility, selectionIds, bookmakerIds, publishedAt, ...tip }) => {
    const inputOf = (leg: DetailedLeg, index: number): TipInput['legs'][number] => {
      const { sport, participant, listedKeys } = leg.details;
      return {
        leg: {
          sportReference: sport,
          price: leg.price,
          market: { ...leg.market, listedKeys },
          selection: {
            key: leg.selection.key,
            participantId: participant === null ? null : (participants.get(participantKey(sport, participant)) ?? null),
          },
          placedAt: publishedAt.toISOString(),
          startsAt: leg.startsAt,
          eachWay: leg.eachWayTerms,
        },
        outcome: outcomeOf(leg),
        settings: settingsFor(settings, {
          sportReference: sport,
          bookmakerId: bookmakerIds[index] ?? null,
          at: publishedAt,
        }),
      };
    };
    return {
      ...tip,
      publishedAt,
      publication,
      isRecorded: visibility !== PortfolioVisibility.personal,
      input: { stakeHundredths: publication.stakeHundredths, legs: publication.legs.map(inputOf) },
      legs: publication.legs.map(({ fixture, startsAt }, index) => ({
        fixtureReference: fixture,
        fixtureId: fixtures.get(fixture)?.id ?? 0,
        resultVersion: fixtures.get(fixture)?.result.version ?? 0,
        selectionId: selectionIds[index] ?? 0,
        bookmakerId: bookmakerIds[index] ?? 0,
        publishedAt,
        startsAt: new Date(startsAt),
      })),
    };
  });
}

/**
 * Bets of any kind with their legs and what is known of each fixture now, in the order of their ids. `bets` selects id, placed_at and
 * stake_hundredths (of a unit, or minor units of money), `legs` the columns of a bet's legs,
 * whose `details` say what each is on as it was when the bet was made.
 */
export async function readSettlingBets(bets: RawBuilder<unknown>, legs: RawBuilder<unknown>): Promise<SettlingBet[]> {
  const { rows } = await sql<LegRow>`
    select bet.id as "betId", bet.placed_at as "placedAt", bet.stake_hundredths as "stakeHundredths", (details -> 'sportId')::int as "sportId", fixture.id as "fixtureId", fixture.reference as "fixtureReference",
      leg.odds_thousandths as odds, leg.numerator, leg.denominator, details -> 'market' as market, details -> 'selection' as selection, leg.starts_at as "startsAt", leg.each_way_places as places,
      leg.each_way_numerator as "placeNumerator", leg.each_way_denominator as "placeDenominator", leg.each_way_basis as basis, leg.bookmaker_id as "bookmakerId",
      ${storedResult} as result
    from ${bets} bet
    join ${legs} leg on leg.bet_id = bet.id
    join fixture on fixture.reference = details ->> 'fixture'
    ${newestResult}
    order by bet.id, leg.position
  `.execute(database());
  const settings = await listSettings();
  const read = new Map<number, SettlingBet>();
  for (const row of rows) {
    const sportReference = sports.find(({ id }) => id === row.sportId)?.reference ?? '';
    const bet = read.get(row.betId) ?? {
      betId: row.betId,
      input: { stakeHundredths: row.stakeHundredths, legs: [] },
      legs: [],
    };
    read.set(row.betId, bet);
    bet.legs.push({
      fixtureReference: row.fixtureReference,
      fixtureId: row.fixtureId,
      resultVersion: row.result.version,
    });
    bet.input.legs.push({
      leg: {
        sportReference,
        price: priceIn([row.odds, row.numerator, row.denominator]),
        market: row.market,
        selection: { key: row.selection.key, participantId: row.selection.participantId },
        placedAt: row.placedAt.toISOString(),
        startsAt: row.startsAt.toISOString(),
        eachWay:
          row.places === null || row.placeNumerator === null || row.placeDenominator === null || row.basis === null
            ? null
            : {
                places: row.places,
                fraction: { numerator: row.placeNumerator, denominator: row.placeDenominator },
                basis: row.basis,
              },
      },
      outcome: fixtureOutcomeOf(row.result, sportReference),
      settings: settingsFor(settings, { sportReference, bookmakerId: row.bookmakerId, at: row.placedAt }),
    });
  }
  return [...read.values()];
}
