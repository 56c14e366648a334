import Fraction from 'fraction.js';
import { type Verdict, whole } from '@/lib/odds/rules';
import type { LedgerVerdict } from '../schema/entries';

/** A verdict as the record holds it; the dead heat of what did not win is said to be none, so that it is said in one way only. */
export const ledgerVerdictOf = ({ voidHalves, won, deadHeat, deductionPence }: Verdict): LedgerVerdict => ({
  voidHalves,
  won,
  deadHeat: won ? { numerator: Number(deadHeat.n), denominator: Number(deadHeat.d) } : { numerator: 1, denominator: 1 },
  rule4Pence: deductionPence,
});

/** The verdict that the record holds. */
export const verdictIn = ({ voidHalves, won, deadHeat, rule4Pence }: LedgerVerdict): Verdict => ({
  voidHalves,
  won,
  deadHeat:
    deadHeat.numerator === deadHeat.denominator ? whole : new Fraction(deadHeat.numerator, deadHeat.denominator),
  deductionPence: rule4Pence,
});
