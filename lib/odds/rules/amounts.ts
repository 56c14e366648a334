import type Fraction from 'fraction.js';
import { type SettlementOutcome, settlementOutcomes } from '../schema/outcomes';

/** What a stake of 1 became in the win part of a tip and in its place part; `place` null unless it is each-way. */
export type TipFactors = { win: Fraction; place: Fraction | null };

/** What came of a stake in whole microunits; an each-way stake counts twice. */
export type Amounts = {
  stakedHundredths: number;
  returnMicrounits: bigint;
  profitMicrounits: bigint;
};

/** What a stake of 1 became in all parts of a tip. */
const returned = ({ win, place }: TipFactors): Fraction => (place ? win.add(place) : win);

/** Settlement §1: the exact return of a stake, in units. */
export const exactReturn = (stakeHundredths: number, factors: TipFactors): Fraction =>
  returned(factors).mul(stakeHundredths, 100);

/** Settlement §1: the return and the profit of a stake, rounded once: the return to the nearest microunit, the profit that return less what was staked. */
export function amountsOf(stakeHundredths: number, factors: TipFactors): Amounts {
  const stakedHundredths = stakeHundredths * (factors.place ? 2 : 1);
  const { n, d } = returned(factors);
  // Halves away from zero; no factor is negative.
  const returnMicrounits = (2n * n * BigInt(stakeHundredths) * 10_000n + d) / (2n * d);
  return {
    stakedHundredths,
    returnMicrounits,
    profitMicrounits: returnMicrounits - BigInt(stakedHundredths) * 10_000n,
  };
}

/** Settlement §1. Ours: the outcome of a tip is the worst of its decided legs, void ones aside; void when none other is left. */
export function outcomeOfTip(legOutcomes: readonly SettlementOutcome[]): SettlementOutcome {
  return settlementOutcomes.find((outcome) => outcome !== 'void' && legOutcomes.includes(outcome)) ?? 'void';
}
