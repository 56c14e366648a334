import type { Bookmaker } from '../schema/bookmakers';

/** Spec §3: orders bookmakers for display by their rank, those of one rank by id. */
export function byPreference(one: Pick<Bookmaker, 'id' | 'rank'>, other: Pick<Bookmaker, 'id' | 'rank'>): number {
  return one.rank - other.rank || one.id - other.id;
}

/** A bookmaker as staff are about to change it that cannot be so, one sentence a field: an offer stands with its terms, terms with an offer. */
export function whyNotBookmaker({
  bonusOffer,
  bonusTerms,
}: Pick<Bookmaker, 'bonusOffer' | 'bonusTerms'>): Record<string, string> {
  if (bonusOffer !== '' && bonusTerms === '')
    return { bonusTerms: 'The terms stand beside every offer. Write them, or take the offer out.' };
  if (bonusOffer === '' && bonusTerms !== '')
    return { bonusOffer: 'There are terms without an offer. Write the offer, or take the terms out.' };
  return {};
}
