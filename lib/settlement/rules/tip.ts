import Fraction from 'fraction.js';
import { amountsOf, exactOf, exactReturn, outcomeOfTip, type TipFactors, voided, whole } from '@/lib/odds/rules';
import type { Exact } from '@/lib/odds/schema';
import { ledgerVerdictOf } from '@/lib/record/rules';
import type { LegSettlement, SettledLeg, UndecidedLeg } from '@/lib/record/schema';
import type { TipInput, TipSettlement } from '../schema/tips';
import { settleLeg } from './leg';

type Part = 'winFactor' | 'placeFactor';
type Undecided = Extract<TipSettlement, { kind: 'undecided' }>;

/** A tip whose legs are decided, at whatever stake. */
export type DecidedTip = { kind: 'decided'; legs: LegSettlement[]; factors: TipFactors };

/** What came of a tip at a stake. */
export type SettledTip = Extract<TipSettlement, { kind: 'settled' }>;

/** The same as it is stored: rounded to whole microunits. */
export type StakedTip = Omit<SettledTip, 'kind' | 'returnExact' | 'profitExact'>;

const isSettled = (leg: LegSettlement): leg is SettledLeg => leg.kind === 'settled';
const isUndecided = (leg: LegSettlement): leg is UndecidedLeg => leg.kind === 'undecided';
const fractionOf = ({ numerator, denominator }: Exact) => new Fraction(BigInt(numerator), BigInt(denominator));

/** Settlement §1: the product of the legs in one part of the bet; null when a leg is undecided and none is lost. */
function productOf(legs: readonly LegSettlement[], part: Part): Fraction | null {
  const factors = legs.map((leg) => (isSettled(leg) ? leg[part] : null));
  if (factors.some((factor) => factor?.numerator === '0')) return new Fraction(0);
  return factors.reduce<Fraction | null>(
    (product, factor) =>
      product && factor && (product === whole ? fractionOf(factor) : product.mul(fractionOf(factor))),
    whole,
  );
}

function waiting(legs: readonly LegSettlement[]): { since: string; until: string | null } {
  const open = legs.filter(isUndecided);
  const byTime = (a: string, b: string) => Date.parse(a) - Date.parse(b);
  const [since = ''] = open.map((leg) => leg.since).sort(byTime);
  const ends = open.flatMap(({ until }) => (until === null ? [] : [until])).sort(byTime);
  return { since, until: ends.length === open.length ? (ends.at(-1) ?? null) : null };
}

/** What a decided tip comes to at a stake, of each part when it is each-way. */
export function stakedAt(stakeHundredths: number, { legs, factors }: DecidedTip): StakedTip {
  const { stakedHundredths, returnMicrounits, profitMicrounits } = amountsOf(stakeHundredths, factors);
  return {
    outcome: outcomeOfTip(legs.flatMap((leg) => (isSettled(leg) ? [leg.outcome] : []))),
    legs,
    stakedHundredths,
    returnMicrounits: String(returnMicrounits),
    profitMicrounits: String(profitMicrounits),
  };
}

/** The same, with the exact amounts. */
export function settledAt(stakeHundredths: number, decided: DecidedTip): SettledTip {
  const staked = stakedAt(stakeHundredths, decided);
  const returns = exactReturn(stakeHundredths, decided.factors);
  return {
    kind: 'settled',
    ...staked,
    returnExact: exactOf(returns),
    profitExact: exactOf(returns.sub(staked.stakedHundredths, 100)),
  };
}

const isEachWay = (inputs: TipInput['legs']) => inputs.every(({ leg }) => leg.eachWay);

/** Product §5: a tip that staff void: every leg returns its stake, and `rule` is the sentence printed on each. */
export function voidTip({ legs: inputs }: Pick<TipInput, 'legs'>, rule: string): DecidedTip {
  const [factor, verdict] = [exactOf(whole), ledgerVerdictOf(voided)];
  const place = isEachWay(inputs);
  const legs = inputs.map((): SettledLeg => {
    return {
      kind: 'settled',
      outcome: 'void',
      rule,
      winFactor: factor,
      placeFactor: place ? factor : null,
      win: verdict,
      place: place ? verdict : null,
      terms: null,
      rule4Pence: 0,
    };
  });
  return { kind: 'decided', legs, factors: { win: whole, place: place ? whole : null } };
}

/** Settlement §1: what the legs of a tip come to as known at `now`, or since when and until when it waits for one. */
export function decideTip({ legs: inputs }: Pick<TipInput, 'legs'>, now: Date): DecidedTip | Undecided {
  const legs = inputs.map(({ leg, outcome, settings }) => settleLeg(leg, outcome, settings, now));
  const win = productOf(legs, 'winFactor');
  const place = isEachWay(inputs) ? productOf(legs, 'placeFactor') : undefined;
  if (!win || place === null) return { kind: 'undecided', legs, ...waiting(legs) };
  return { kind: 'decided', legs, factors: { win, place: place ?? null } };
}

/**
 * Settlement §1: settles a tip as known at `now`: a single or an accumulator, which returns the stake times the product of
 * its legs; an each-way tip is two bets of the stake, all to win and all to be placed (§4). Ours: the outcome is the worst of
 * its legs', void ones aside, and an accumulator that one leg has lost is settled though others are undecided.
 */
export function settleTip(tip: TipInput, now: Date): TipSettlement {
  const decided = decideTip(tip, now);
  return decided.kind === 'decided' ? settledAt(tip.stakeHundredths, decided) : decided;
}
