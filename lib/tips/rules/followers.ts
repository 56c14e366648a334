import { totalOddsThousandths } from '@/lib/odds/rules';
import type { LegFacts, Publication } from '@/lib/record/schema';
import { followedTip, hundredthsOf, countedLegs } from '@/lib/stats/rules';
import { followerMinutes, followerMoments } from '@/lib/stats/schema';
import type { TipFollower } from '../schema';

/** Product §7: what followers had of a tip at each moment, from its publication and the facts that its settlement sealed; nothing of a void tip. */
export function tipFollowers(
  { legs, stakeHundredths, eachWay }: Pick<Publication, 'legs' | 'stakeHundredths' | 'eachWay'>,
  publishedAt: Date,
  facts: readonly LegFacts[],
): TipFollower[] {
  const bet = legs.flatMap(({ price }, index) => (facts[index] ? [{ taken: price, facts: facts[index] }] : []));
  const stood = countedLegs(bet);
  if (stood.length === 0) return [];
  const followed = followedTip(bet, { stakeHundredths, eachWay });
  const [start, ...otherStarts] = new Set(legs.map(({ startsAt }) => startsAt));
  return followerMoments.map((moment) => {
    const own = followed[moment];
    return {
      moment,
      at:
        moment === 'close'
          ? otherStarts.length === 0
            ? (start ?? null)
            : null
          : new Date(publishedAt.getTime() + followerMinutes[moment] * 60_000).toISOString(),
      totalOddsThousandths:
        own && totalOddsThousandths(stood.flatMap(({ facts: { followers } }) => followers[moment] ?? [])),
      stillThere: own && own.stillThere,
      profitHundredths: own && hundredthsOf(BigInt(own.profitMicrounits)),
    };
  });
}
