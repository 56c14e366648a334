import Fraction from 'fraction.js';
import type { Exact } from '../schema/exact';
import type { SettlementOutcome } from '../schema/outcomes';

/** What became of one half of a stake. */
export type Half = 'won' | 'void' | 'lost';

/** Settlement §1: quarter lines split a stake in two, so every bet is settled by halves; both are alike elsewhere. */
export type Halves = readonly [Half, Half];

/**
 * Settlement §1: what became of a bet: how many halves of its stake are void (v = 0, 1 or 2 halves), whether the rest won
 * (w), the dead-heat factor (d) and the Rule 4 deduction in pence in the pound (r = pence/100).
 */
export type Verdict = { voidHalves: number; won: boolean; deadHeat: Fraction; deductionPence: number };

/** The factor 1: a stake returned, a win undivided. */
export const whole = new Fraction(1);

/** The verdict on two halves of a stake, with neither dead heat nor deduction. */
export function verdictOf(halves: Halves): Verdict {
  return {
    voidHalves: halves.filter((half) => half === 'void').length,
    won: halves.includes('won'),
    deadHeat: whole,
    deductionPence: 0,
  };
}

/** The verdict that returns the stake. */
export const voided: Verdict = verdictOf(['void', 'void']);

const voidParts = [new Fraction(0), new Fraction(1, 2), whole];

/** Settlement §1: what a stake of 1 becomes, L = v + (1 − v) · w · d · (1 + (o − 1)(1 − r)), exact; never negative. */
export function legFactor(odds: Fraction, { voidHalves, won, deadHeat, deductionPence }: Verdict): Fraction {
  const voidPart = voidParts[voidHalves] ?? new Fraction(voidHalves, 2);
  if (!won) return voidPart;
  // What most tips are, without arithmetic that changes nothing.
  if (voidHalves === 0 && deductionPence === 0 && deadHeat === whole) return odds;
  const paid = odds
    .sub(1)
    .mul(100 - deductionPence, 100)
    .add(1);
  return whole.sub(voidPart).mul(deadHeat).mul(paid).add(voidPart);
}

/** Settlement §1: the name of a verdict on a bet of one part. */
export function outcomeOf({ voidHalves, won }: Verdict): Exclude<SettlementOutcome, 'placed'> {
  if (voidHalves === 2) return 'void';
  if (voidHalves === 1) return won ? 'half-won' : 'half-lost';
  return won ? 'won' : 'lost';
}

/** A rational as JSON holds it. */
export const exactOf = ({ s, n, d }: Fraction): Exact => ({ numerator: String(s * n), denominator: String(d) });
