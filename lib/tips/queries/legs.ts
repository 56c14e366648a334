import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import type { PublishedLeg } from '../schema';

/** A leg as it was found in the database at the moment of publication. */
export type OfferedLeg = PublishedLeg & {
  fixtureId: number;
  fixtureName: string;
  sportId: number;
  marketId: number;
  selectionId: number;
  bookmakerId: number;
  priceAt: Date;
};

/** A leg as it stands at a moment: nulls where the bookmaker offers no price. Asked for at bookmaker 0, which is none of ours, it has no reference either. */
export type LegRow = Omit<OfferedLeg, 'price' | 'priceAt'> & { odds: number | null; numerator: number | null; denominator: number | null; priceAt: Date | null };

/** The legs of selections at bookmakers as they stand at each one's moment, by their place from 1 on; those that do not exist are left out. */
export async function readLegs(legs: readonly { selectionId: number; bookmakerId: number; at: Date }[]): Promise<Map<number, LegRow>> {
  const { rows } = await sql<LegRow & { ordinal: string }>`
    select wanted.ordinal, fixture.id as "fixtureId", fixture.reference as "fixtureReference", fixture.name as "fixtureName", league.sport_id as "sportId",
      fixture.starts_at as "startsAt", market.id as "marketId", market.kind, market.line_hundredths as "lineHundredths", market.period,
      market.includes_overtime as "includesOvertime", selection.id as "selectionId", selection.key as "selectionKey", selection.name as "selectionName",
      wanted.bookmaker_id as "bookmakerId", coalesce(bookmaker.reference, '') as "bookmakerReference",
      change.odds_thousandths as odds, change.numerator, change.denominator, change.at as "priceAt"
    from unnest(${legs.map((leg) => leg.selectionId)}::int[], ${legs.map((leg) => leg.bookmakerId)}::int[], ${legs.map((leg) => leg.at)}::timestamptz[])
      with ordinality as wanted (selection_id, bookmaker_id, at, ordinal)
    join selection on selection.id = wanted.selection_id
    join market on market.id = selection.market_id
    join fixture on fixture.id = market.fixture_id
    join league on league.id = fixture.league_id
    left join bookmaker on bookmaker.id = wanted.bookmaker_id
    left join lateral (
      select * from price_change given where given.selection_id = wanted.selection_id and given.bookmaker_id = wanted.bookmaker_id and given.at <= wanted.at
      order by given.at desc limit 1
    ) change on true
  `.execute(database());
  return new Map(rows.map(({ ordinal, ...row }) => [Number(ordinal), row]));
}
