import type { DetailedPublication } from '@/lib/record/schema';
import type { EachWayTerms, Price } from '@/lib/odds/schema';
import { canReadPremium } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { resultDueAt } from '@/lib/fixtures/rules';
import { PortfolioVisibility, sports } from '@/lib/reference/schema';
import type { PublishedLeg, TipLock } from '../schema';

type Parts = {
  legs: readonly PublishedLeg[];
  terms: readonly (EachWayTerms | null)[];
  stakeHundredths: number;
  eachWay: boolean;
  free: boolean;
  analysisHash: string;
  minPrice?: Price | undefined;
};

/** Product §6: what the record says of a tip: its legs with all that its page and its settlement need of them, prices and stake, the least price if one was set, and the hash of its analysis. */
export function publicationOf({ legs, terms, minPrice, ...rest }: Parts): DetailedPublication {
  return {
    ...rest,
    ...(minPrice && { minPrice }),
    legs: legs.map((leg, index) => ({
      fixture: leg.fixtureReference,
      startsAt: leg.startsAt.toISOString(),
      market: {
        kind: leg.kind,
        lineHundredths: leg.lineHundredths,
        period: leg.period,
        includesOvertime: leg.includesOvertime,
      },
      selection: { key: leg.selectionKey, name: leg.selectionName },
      bookmaker: leg.bookmakerReference,
      price: leg.price,
      eachWayTerms: terms[index] ?? null,
      details: {
        sport: leg.sportReference,
        league: { reference: leg.leagueReference, name: leg.leagueName },
        fixtureName: leg.fixtureName,
        sides: leg.homeName === null || leg.awayName === null ? null : { home: leg.homeName, away: leg.awayName },
        listedKeys: leg.listedKeys ?? [],
        participant: leg.participantReference,
        bookmakerName: leg.bookmakerName,
        priceAt: leg.priceAt.toISOString(),
      },
    })),
  };
}

type LockableTip = {
  portfolio: { id: number; visibility: PortfolioVisibility };
  free: boolean;
  hidden: boolean;
  firstStartsAt: Date;
};

/**
 * The kinds of portfolios in which a tip that is not free is for members. Ours (0113): a hidden one is such a kind, as staff hide a premium one with
 * what its members paid for; what never was for sale was stored free, and stays open.
 */
export const lockingKinds: readonly PortfolioVisibility[] = [PortfolioVisibility.premium, PortfolioVisibility.hidden];

const isForMembers = ({ portfolio, free }: Pick<LockableTip, 'portfolio' | 'free'>) =>
  !free && lockingKinds.includes(portfolio.visibility);

/**
 * Spec §4, §5: why the viewer does not see the legs of a tip, or null. Members and the owner see them at once; a hidden tip opens for all
 * at its first start, and so does a members-only one, as the record is opened then.
 */
export function legsLock(viewer: Viewer, tip: LockableTip, now: Date): TipLock | null {
  if (canReadPremium(viewer, tip.portfolio) || tip.firstStartsAt <= now) return null;
  if (isForMembers(tip)) return 'members';
  return tip.hidden ? 'hidden' : null;
}

/** Product §9: true when the viewer may read the analysis: it opens with the legs, but what members pay for stays theirs. */
export function canReadAnalysis(viewer: Viewer, tip: LockableTip, now: Date): boolean {
  if (canReadPremium(viewer, tip.portfolio)) return true;
  return legsLock(viewer, tip, now) === null && !isForMembers(tip);
}

/** Spec §3: when a tip is looked at first: when the last of its fixtures is asked for its result. */
export function settlementDueAt(legs: readonly { sportReference: string; startsAt: Date }[]): Date {
  const due = legs.map(({ sportReference, startsAt }) =>
    resultDueAt(
      startsAt,
      sports.find(({ reference }) => reference === sportReference)?.minutesBeforeResult ?? 0,
    ).getTime(),
  );
  return new Date(Math.max(...due));
}
