import type { Publication } from '@/lib/record/schema';
import type { EachWayTerms } from '@/lib/settlement/schema';
import type { PublishedLeg } from './schema';

type Parts = { legs: readonly PublishedLeg[]; terms: readonly (EachWayTerms | null)[]; stakeHundredths: number; eachWay: boolean; free: boolean; analysisHash: string };

/** Product §6: what the record says of a tip: its legs, prices and stake, and the hash of its analysis. */
export function publicationOf({ legs, terms, ...rest }: Parts): Publication {
  return {
    ...rest,
    legs: legs.map((leg, index) => ({
      fixture: leg.fixtureReference,
      startsAt: leg.startsAt.toISOString(),
      market: { kind: leg.kind, lineHundredths: leg.lineHundredths, period: leg.period, includesOvertime: leg.includesOvertime },
      selection: { key: leg.selectionKey, name: leg.selectionName },
      bookmaker: leg.bookmakerReference,
      price: leg.price,
      eachWayTerms: terms[index] ?? null,
    })),
  };
}
