/** A list of favourites with this one in it, at its end, or without it. */
export function withFavourite(favourites: readonly string[], reference: string, isOn: boolean): string[] {
  const others = favourites.filter((each) => each !== reference);
  return isOn ? [...others, reference] : others;
}

/** The favourites first, in the order in which they were made so; the others as they were given. */
export function favouritesFirst<T>(
  all: readonly T[],
  favourites: readonly string[],
  referenceOf: (one: T) => string,
): T[] {
  const placeOf = (one: T) => {
    const place = favourites.indexOf(referenceOf(one));
    return place < 0 ? favourites.length : place;
  };
  return all.toSorted((a, b) => placeOf(a) - placeOf(b));
}
