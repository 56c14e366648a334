import Fraction from 'fraction.js';
import { amountsOf, compareOdds, exactOdds, legFactor, placeOdds, type TipFactors, whole } from '@/lib/odds/rules';
import type { Price } from '@/lib/odds/schema';
import { verdictIn } from '@/lib/record/rules';
import type { LegFacts } from '@/lib/record/schema';
import type { Followed, FollowerMoment, SettledTip } from '../schema/rollups';
import { exactOf } from './exact';
import { atEachMoment } from './follower-totals';

/** A leg of a settled tip at the price it was taken at, with what its settlement was computed from. */
export type FactsLeg = { taken: Price; facts: LegFacts };

/** The legs that count: all but those whose stake was returned whole. */
export const countedLegs = <L extends { facts: LegFacts }>(legs: readonly L[]): L[] =>
  legs.filter(({ facts: { win } }) => win?.voidHalves !== 2);

type Part = 'win' | 'place';

function partFactor(facts: LegFacts, price: Price, part: Part): Fraction | null {
  const odds = exactOdds(price);
  if (part === 'win') return facts.win && legFactor(odds, verdictIn(facts.win));
  return (
    facts.place &&
    legFactor(facts.place.terms ? placeOdds(odds, facts.place.terms.fraction) : odds, verdictIn(facts.place))
  );
}

/** What a stake of 1 on one part of the tip becomes; null when a leg is not decided and none is lost. */
function productOf(legs: readonly { facts: LegFacts; price: Price }[], part: Part): Fraction | null {
  const factors = legs.map(({ facts, price }) => partFactor(facts, price, part));
  if (factors.some((factor) => factor?.n === 0n)) return new Fraction(0);
  return factors.reduce<Fraction | null>(
    (product, factor) => product && factor && (product === whole ? factor : product.mul(factor)),
    whole,
  );
}

/** What a stake of 1 becomes in the parts of a tip whose standing legs were backed at these prices; null for legs that do not decide it. */
function factorsAt(legs: readonly { facts: LegFacts; price: Price }[], eachWay: boolean): TipFactors | null {
  const win = productOf(legs, 'win');
  const place = eachWay ? productOf(legs, 'place') : null;
  return win && (place || !eachWay) ? { win, place } : null;
}

/**
 * Settlement §1: the profit in microunits of a tip whose standing legs were backed at these prices, by its own verdicts and place terms; the
 * return is rounded once, as settlement does. Null for legs that do not decide it.
 */
export function profitAt(
  legs: readonly { facts: LegFacts; price: Price }[],
  stakeHundredths: number,
  eachWay: boolean,
): bigint | null {
  const factors = factorsAt(legs, eachWay);
  return factors && amountsOf(stakeHundredths, factors).profitMicrounits;
}

const levelStakeHundredths = 100;

const textOf = (price: Price | null) =>
  price && `${price.oddsThousandths} ${price.fraction?.numerator} ${price.fraction?.denominator}`;

function followedAt(
  legs: readonly FactsLeg[],
  { stakeHundredths, eachWay }: { stakeHundredths: number; eachWay: boolean },
  moment: FollowerMoment,
): Followed | null {
  const stood = countedLegs(legs);
  const priced = stood.flatMap(({ taken, facts }) =>
    facts.followers[moment] ? [{ taken, facts, price: facts.followers[moment] }] : [],
  );
  if (stood.length === 0 || priced.length < stood.length) return null;
  const factors = factorsAt(priced, eachWay);
  if (!factors) return null;
  return {
    stillThere: priced.every(({ taken, price }) => compareOdds(price, taken) >= 0),
    profitMicrounits: exactOf(amountsOf(stakeHundredths, factors).profitMicrounits),
    levelProfitMicrounits: exactOf(amountsOf(levelStakeHundredths, factors).profitMicrounits),
  };
}

/**
 * Product §7: what a tip came to at the best prices that followers had: the same verdicts, each leg's price replaced by the one then on
 * offer. Ours (0044): it counts at a moment when each leg that stood had a price, and its price was still there when none had become shorter.
 */
export function followedTip(
  legs: readonly FactsLeg[],
  bet: { stakeHundredths: number; eachWay: boolean },
): SettledTip['followers'] {
  const known = new Map<string, Followed | null>();
  return atEachMoment((moment) => {
    // Prices often stay as they were from one moment to the next.
    const key = legs.map(({ facts: { followers } }) => textOf(followers[moment])).join();
    const before = known.get(key);
    if (before !== undefined) return before;
    const followed = followedAt(legs, bet, moment);
    known.set(key, followed);
    return followed;
  });
}
