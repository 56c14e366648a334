import type { TipLegView } from '../schema';

/** Ours: the first legs of a tip in a bettor's words, at most so many, and how many more there are. */
export function legsText(legs: readonly Pick<TipLegView, 'bet'>[], most: number): string {
  const named = legs.slice(0, most).map(({ bet }) => bet);
  const more = legs.length - named.length;
  return `${named.join(' · ')}${more > 0 ? ` and ${more} more` : ''}`;
}
