import Fraction from 'fraction.js';
import type { MarketKind } from '@/lib/fixtures/schema';
import { exactOdds, placeOdds } from '@/lib/odds/rules';
import type { BetType, SettledTip } from '../schema/rollups';
import { closingLineValue } from './closing-line';
import { exactOf, roundedDivision } from './exact';
import { type FactsLeg, followedTip, countedLegs } from './followed';

/** A leg of a settled tip: what was backed, at which price, and what its settlement was computed from. */
export type SettledTipLeg = FactsLeg & {
  sportId: number | null;
  leagueId: number | null;
  bookmakerId: number | null;
  kind: MarketKind;
};

/** A settled tip with its legs, before statistics are computed from it. */
export type SettledBet = Omit<
  SettledTip,
  | 'oddsMillionths'
  | 'placeOddsMillionths'
  | 'sportId'
  | 'leagueId'
  | 'bookmakerId'
  | 'betType'
  | 'clvBillionths'
  | 'noVigClvBillionths'
  | 'followers'
> & {
  eachWay: boolean;
  legs: readonly SettledTipLeg[];
};

const common = (values: readonly (number | null)[]) =>
  values.every((value) => value === values[0]) ? (values[0] ?? null) : null;
const millionths = (odds: Fraction) => exactOf(roundedDivision(odds.n * 1_000_000n, odds.d));

/** Product §7: what statistics read of a settled tip, from its legs as they were published and what their settlement was computed from. */
export function settledTipOf({ eachWay, legs, ...bet }: SettledBet): SettledTip {
  const stood = countedLegs(legs);
  const counted = stood.length > 0 ? stood : legs;
  const product = (oddsOf: (leg: SettledTipLeg) => Fraction) =>
    counted.map(oddsOf).reduce((odds, own) => odds.mul(own));
  const terms = counted.map(({ facts }) => facts.place?.terms ?? null);
  const betType: BetType = legs.length > 1 ? 'accumulator' : eachWay ? 'each-way' : (legs[0]?.kind ?? 'match-result');
  const values = (closingOf: (leg: SettledTipLeg) => Fraction | null) =>
    bet.stakedHundredths === 0
      ? null
      : closingLineValue(counted.map((leg) => ({ takenOdds: exactOdds(leg.taken), closingOdds: closingOf(leg) })));
  return {
    ...bet,
    oddsMillionths: millionths(product(({ taken }) => exactOdds(taken))),
    placeOddsMillionths:
      eachWay && terms.some((own) => own !== null)
        ? millionths(
            product(({ taken, facts }) =>
              placeOdds(exactOdds(taken), facts.place?.terms?.fraction ?? { numerator: 1, denominator: 1 }),
            ),
          )
        : null,
    sportId: common(legs.map(({ sportId }) => sportId)),
    leagueId: common(legs.map(({ leagueId }) => leagueId)),
    bookmakerId: common(legs.map(({ bookmakerId }) => bookmakerId)),
    betType,
    clvBillionths: values(({ facts: { closing } }) => closing && exactOdds(closing)),
    noVigClvBillionths: values(
      ({ facts: { fairClosing } }) =>
        fairClosing && new Fraction(BigInt(fairClosing.numerator), BigInt(fairClosing.denominator)),
    ),
    followers:
      bet.stakedHundredths === 0
        ? { after5: null, after15: null, after60: null, close: null }
        : followedTip(legs, { stakeHundredths: bet.stakeHundredths, eachWay }),
  };
}
