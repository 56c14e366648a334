import type Fraction from 'fraction.js';
import { settlementOutcomes, type SettlementOutcome } from '../schema';

/** What a stake of 1 became in the win part of a tip and in its place part; `place` null unless it is each-way. */
export type TipFactors = { win: Fraction; place: Fraction | null };

/** What came of a stake, in exact units and in whole microunits; an each-way stake counts twice. */
export type Amounts = {
  stakedHundredths: number;
  returns: Fraction;
  returnMicrounits: bigint;
  profitMicrounits: bigint;
};

/** Millionths of a unit, to the nearest, halves away from zero; for what is not negative. */
const microunits = ({ n, d }: Fraction): bigint => (2n * n * 1_000_000n + d) / (2n * d);

/** Settlement §1: the return and the profit of a stake, rounded once: the return to the nearest microunit, the profit that return less what was staked. */
export function amountsOf(stakeHundredths: number, { win, place }: TipFactors): Amounts {
  const stakedHundredths = stakeHundredths * (place ? 2 : 1);
  const returns = (place ? win.add(place) : win).mul(stakeHundredths, 100);
  const returnMicrounits = microunits(returns);
  return {
    stakedHundredths,
    returns,
    returnMicrounits,
    profitMicrounits: returnMicrounits - BigInt(stakedHundredths) * 10_000n,
  };
}

/** Settlement §1. Ours: the outcome of a tip is the worst of its decided legs, void ones aside; void when none other is left. */
export function outcomeOfTip(legOutcomes: readonly SettlementOutcome[]): SettlementOutcome {
  return settlementOutcomes.find((outcome) => outcome !== 'void' && legOutcomes.includes(outcome)) ?? 'void';
}
