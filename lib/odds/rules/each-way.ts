import type Fraction from 'fraction.js';
import type { EachWayTerms, PlaceTerms } from '../schema/each-way';

const fewestRunnersWithPlaces = 5;

const termsOf = (places: number, denominator: number): PlaceTerms => ({
  places,
  fraction: { numerator: 1, denominator },
});

/** Settlement §4: the standard place terms of a race by the number that ran; null up to 4 runners, where there is a winner only. */
export function standardTerms(numberRan: number, handicap: boolean): PlaceTerms | null {
  if (numberRan < fewestRunnersWithPlaces) return null;
  if (numberRan < 8) return termsOf(2, 4);
  if (numberRan < 12) return termsOf(3, 5);
  if (!handicap) return termsOf(3, 5);
  return numberRan < 16 ? termsOf(3, 4) : termsOf(4, 4);
}

/** Settlement §4: the place terms of golf unless others are stated. */
export const golfTerms: PlaceTerms = termsOf(5, 4);

/** Settlement §4: sports in which the number that ran sets the place terms, and withdrawals reduce winnings. */
export const racingSports: readonly string[] = ['horse-racing', 'greyhounds'];

/**
 * Settlement §4: the place terms that a leg is settled by. Fixed ones stand; standard ones follow the number that ran in
 * racing and are golf's own in golf. Ours: in other sports, which have no standard, they stand as stored. Null when only
 * the winner is paid.
 */
export function placeTermsFor(
  stored: EachWayTerms,
  sportReference: string,
  race: { numberRan: number; handicap: boolean },
): PlaceTerms | null {
  if (stored.basis === 'standard' && racingSports.includes(sportReference))
    return standardTerms(race.numberRan, race.handicap);
  if (stored.basis === 'standard' && sportReference === 'golf') return golfTerms;
  return { places: stored.places, fraction: stored.fraction };
}

/**
 * Settlement §4: the place terms that a leg may have been settled by, whatever the number that ran, null among them where the place stake may
 * have gone on the win; of a sport that is not known (null) any, said by null for the whole.
 */
export function possiblePlaceTerms(stored: EachWayTerms, sportReference: string | null): (PlaceTerms | null)[] | null {
  if (stored.basis === 'standard' && sportReference === null) return null;
  const fields = [1, fewestRunnersWithPlaces, 8, 12, 16].flatMap((numberRan) =>
    [true, false].map((handicap) => ({ numberRan, handicap })),
  );
  return fields.map((race) => placeTermsFor(stored, sportReference ?? '', race));
}

/** Settlement §4: the odds of the place part, 1 + (o − 1) · f, exact. */
export function placeOdds(odds: Fraction, { numerator, denominator }: PlaceTerms['fraction']): Fraction {
  return odds.sub(1).mul(numerator, denominator).add(1);
}
