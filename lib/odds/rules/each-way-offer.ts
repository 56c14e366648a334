import type { MarketKind } from '@/lib/fixtures/schema';
import { golfTerms, racingSports, standardTerms } from '@/lib/settlement/rules/each-way';
import type { EachWayTerms } from '@/lib/settlement/schema';

/** What the place terms on offer follow from: the kind of market, the sport, and in racing how many are to run and whether it is a handicap. */
export type EachWayField = { kind: MarketKind; sportReference: string; runners: number; handicap: boolean };

/** Settlement §4: the place terms that a selection of the market is offered each-way at, by every bookmaker alike; a sentence's end that says why where it can only be backed to win. */
export function eachWayOffer({ kind, sportReference, runners, handicap }: EachWayField): EachWayTerms | string {
  if (kind !== 'outright-winner') return 'only an outright winner can be backed each-way';
  if (sportReference === 'golf') return { ...golfTerms, basis: 'standard' };
  if (!racingSports.includes(sportReference)) return 'this sport has no place terms';
  const terms = standardTerms(runners, handicap);
  return terms ? { ...terms, basis: 'standard' } : 'with fewer than five runners nothing is paid for a place';
}

/** The terms of `eachWayOffer`; null where there are none. */
export function offeredTerms(field: EachWayField): EachWayTerms | null {
  const offer = eachWayOffer(field);
  return typeof offer === 'string' ? null : offer;
}
