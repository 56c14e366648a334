import Fraction from 'fraction.js';
import { exactOdds, placeOdds } from '@/lib/odds/rules';
import type { Exact, Price } from '@/lib/odds/schema';
import type { LedgerVerdict, LegFacts, LegSettlement } from '@/lib/record/schema';

const undividedWin = { numerator: 1, denominator: 1 };

/** The verdict that makes a stake of 1 at these odds this factor, in settlement §1, where neither half of the stake is void. */
function verdictFrom(factor: Exact, odds: Fraction, rule4Pence: number): LedgerVerdict {
  const paid = odds
    .sub(1)
    .mul(100 - rule4Pence, 100)
    .add(1);
  const deadHeat = new Fraction(BigInt(factor.numerator), BigInt(factor.denominator)).div(paid);
  if (deadHeat.equals(0)) return { voidHalves: 0, won: false, deadHeat: undividedWin, rule4Pence };
  return {
    voidHalves: 0,
    won: true,
    deadHeat: { numerator: Number(deadHeat.n), denominator: Number(deadHeat.d) },
    rule4Pence,
  };
}

/**
 * Ours (0044): what a leg was settled by, where its settlement was stored before facts were: taken back from the factors that it was settled
 * with. Both parts null for a leg that was not decided.
 */
export function storedVerdicts(settled: LegSettlement | undefined, taken: Price): Pick<LegFacts, 'win' | 'place'> {
  if (settled?.kind !== 'settled') return { win: null, place: null };
  const { outcome, winFactor, placeFactor, terms, rule4Pence } = settled;
  const odds = exactOdds(taken);
  const halves = {
    void: { voidHalves: 2, won: false },
    'half-won': { voidHalves: 1, won: true },
    'half-lost': { voidHalves: 1, won: false },
  } as const;
  if (outcome === 'void' || outcome === 'half-won' || outcome === 'half-lost') {
    const verdict = { ...halves[outcome], deadHeat: undividedWin, rule4Pence };
    return { win: verdict, place: placeFactor && { ...verdict, terms } };
  }
  const oddsOfPlace = terms ? placeOdds(odds, terms.fraction) : odds;
  return {
    win: verdictFrom(winFactor, odds, rule4Pence),
    place: placeFactor && { ...verdictFrom(placeFactor, oddsOfPlace, rule4Pence), terms },
  };
}
