import 'server-only';
import { sql } from 'kysely';
import { areSidesSwitched, isOfWithdrawn } from '@/lib/fixtures/queries';
import { database } from '@/lib/platform/database';
import { sports } from '@/lib/reference/schema';
import type { PublishedLeg } from '../schema';

/** A leg as it was found in the database at the moment of publication. */
export type OfferedLeg = PublishedLeg & {
  fixtureId: number;
  marketId: number;
  selectionId: number;
  bookmakerId: number;
};

/**
 * A leg as it stands at a moment: nulls where the bookmaker offers no price. Asked for at bookmaker 0, which is none of ours, it has neither
 * reference nor name of a bookmaker. `isUnderWay` says that its fixture is closed, or has a score or a result, whatever its start says.
 */
export type LegRow = Omit<OfferedLeg, 'price' | 'priceAt'> & {
  odds: number | null;
  numerator: number | null;
  denominator: number | null;
  priceAt: Date | null;
  offAt: Date | null;
  isUnderWay: boolean;
  /** True when the runner that is backed was withdrawn. */
  isWithdrawn: boolean;
  /** True when the match is announced with home and away the other way round instead. */
  isSwitched: boolean;
  /** True when the history has a price of a later moment, so that this one is not the last word on what is on offer then. */
  hasLaterPrice: boolean;
};

/** The legs of selections at bookmakers as they stand at each one's moment, by their place from 1 on; those that do not exist are left out. */
export async function readLegs(
  legs: readonly { selectionId: number; bookmakerId: number; at: Date }[],
): Promise<Map<number, LegRow>> {
  const { rows } = await sql<Omit<LegRow, 'sportReference'> & { sportId: number; ordinal: string }>`
    select wanted.ordinal, fixture.id as "fixtureId", fixture.reference as "fixtureReference", fixture.name as "fixtureName", home.name as "homeName", away.name as "awayName",
      league.sport_id as "sportId", league.reference as "leagueReference", league.name as "leagueName", fixture.starts_at as "startsAt", fixture.off_at as "offAt",
      (fixture.status <> 'awaiting-result' or fixture.closed_at is not null or exists (select 1 from fixture_result where fixture_id = fixture.id)
        or exists (select 1 from live_score where fixture_id = fixture.id)) as "isUnderWay", ${isOfWithdrawn(sql`selection.id`)} as "isWithdrawn", ${areSidesSwitched} as "isSwitched",
      market.id as "marketId", market.kind, market.line_hundredths as "lineHundredths", market.period, market.includes_overtime as "includesOvertime",
      case when market.kind = 'correct-score' then (select array_agg(listed.key order by listed.position) from selection listed where listed.market_id = market.id) end as "listedKeys",
      selection.id as "selectionId", selection.key as "selectionKey", selection.name as "selectionName", backed.reference as "participantReference",
      wanted.bookmaker_id as "bookmakerId", coalesce(bookmaker.reference, '') as "bookmakerReference", coalesce(bookmaker.name, '') as "bookmakerName",
      change.odds_thousandths as odds, change.numerator, change.denominator, change.at as "priceAt",
      exists (select 1 from price_change later where later.selection_id = wanted.selection_id and later.bookmaker_id = wanted.bookmaker_id and later.at > wanted.at) as "hasLaterPrice"
    from unnest(${legs.map((leg) => leg.selectionId)}::int[], ${legs.map((leg) => leg.bookmakerId)}::int[], ${legs.map((leg) => leg.at)}::timestamptz[])
      with ordinality as wanted (selection_id, bookmaker_id, at, ordinal)
    join selection on selection.id = wanted.selection_id
    join market on market.id = selection.market_id
    join fixture on fixture.id = market.fixture_id
    join league on league.id = fixture.league_id
    left join participant home on home.id = fixture.home_id
    left join participant away on away.id = fixture.away_id
    left join participant backed on backed.id = selection.participant_id
    left join bookmaker on bookmaker.id = wanted.bookmaker_id
    left join lateral (
      select * from price_change given where given.selection_id = wanted.selection_id and given.bookmaker_id = wanted.bookmaker_id and given.at <= wanted.at
      order by given.at desc limit 1
    ) change on true
  `.execute(database());
  return new Map(
    rows.map(({ ordinal, sportId, ...row }) => [
      Number(ordinal),
      { ...row, sportReference: sports.find(({ id }) => id === sportId)?.reference ?? '' },
    ]),
  );
}
