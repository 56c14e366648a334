import Fraction from 'fraction.js';
import { type LegSettlement, type SettledLeg, settlementOutcomes, type SettlementOutcome, type TipInput, type TipSettlement, type UndecidedLeg } from '../schema';
import { exactOf, whole } from './factor';
import { settleLeg } from './leg';

type Part = 'winFactor' | 'placeFactor';

const isSettled = (leg: LegSettlement): leg is SettledLeg => leg.kind === 'settled';
const isUndecided = (leg: LegSettlement): leg is UndecidedLeg => leg.kind === 'undecided';

/** Settlement §1: the product of the legs in one part of the bet; null when a leg is undecided and none is lost. */
function productOf(legs: readonly LegSettlement[], part: Part): Fraction | null {
  const factors = legs.map((leg) => (isSettled(leg) ? leg[part] : null));
  if (factors.some((factor) => factor?.numerator === '0')) return new Fraction(0);
  return factors.reduce<Fraction | null>(
    (product, factor) => product && factor && product.mul(BigInt(factor.numerator), BigInt(factor.denominator)),
    whole,
  );
}

function outcomeOfLegs(legs: readonly LegSettlement[]): SettlementOutcome {
  const counting: SettlementOutcome[] = legs.flatMap((leg) => (isSettled(leg) && leg.outcome !== 'void' ? [leg.outcome] : []));
  return settlementOutcomes.find((outcome) => counting.includes(outcome)) ?? 'void';
}

function waiting(legs: readonly LegSettlement[]): { since: string; until: string | null } {
  const open = legs.filter(isUndecided);
  const byTime = (a: string, b: string) => Date.parse(a) - Date.parse(b);
  const [since = ''] = open.map((leg) => leg.since).sort(byTime);
  const ends = open.flatMap(({ until }) => (until === null ? [] : [until])).sort(byTime);
  return { since, until: ends.length === open.length ? (ends.at(-1) ?? null) : null };
}

/** Millionths of a unit, to the nearest, halves away from zero; for what is not negative. */
const microunits = ({ n, d }: Fraction): bigint => (2n * n * 1_000_000n + d) / (2n * d);

function settledBy(stakeHundredths: number, legs: LegSettlement[], { win, place, isEachWay }: { win: Fraction; place: Fraction; isEachWay: boolean }): TipSettlement {
  const stakedHundredths = stakeHundredths * (isEachWay ? 2 : 1);
  const returns = win.add(place).mul(stakeHundredths, 100);
  const returnMicrounits = microunits(returns);
  return {
    kind: 'settled',
    outcome: outcomeOfLegs(legs),
    legs,
    stakedHundredths,
    returnExact: exactOf(returns),
    profitExact: exactOf(returns.sub(stakedHundredths, 100)),
    returnMicrounits: String(returnMicrounits),
    profitMicrounits: String(returnMicrounits - BigInt(stakedHundredths) * 10_000n),
  };
}

/** Product §5: a tip that staff void: every leg returns its stake, and `rule` is the sentence printed on each. */
export function voidedTip({ stakeHundredths, legs: inputs }: TipInput, rule: string): TipSettlement {
  const isEachWay = inputs.every(({ leg }) => leg.eachWay);
  const legs = inputs.map((): SettledLeg => ({ kind: 'settled', outcome: 'void', rule, winFactor: exactOf(whole), placeFactor: isEachWay ? exactOf(whole) : null, terms: null, rule4Pence: 0 }));
  return settledBy(stakeHundredths, legs, { win: whole, place: isEachWay ? whole : new Fraction(0), isEachWay });
}

/**
 * Settlement §1: settles a tip as known at `now`: a single or an accumulator, which returns the stake times the product of
 * its legs; an each-way tip is two bets of the stake, all to win and all to be placed (§4). Ours: the outcome is the worst of
 * its legs', void ones aside, and an accumulator that one leg has lost is settled though others are undecided.
 */
export function settleTip({ stakeHundredths, legs: inputs }: TipInput, now: Date): TipSettlement {
  const legs = inputs.map(({ leg, outcome, settings }) => settleLeg(leg, outcome, settings, now));
  const isEachWay = inputs.every(({ leg }) => leg.eachWay);
  const win = productOf(legs, 'winFactor');
  const place = isEachWay ? productOf(legs, 'placeFactor') : new Fraction(0);
  if (!win || !place) return { kind: 'undecided', legs, ...waiting(legs) };
  return settledBy(stakeHundredths, legs, { win, place, isEachWay });
}
