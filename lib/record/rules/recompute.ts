import Fraction from 'fraction.js';
import type { MarketKind } from '@/lib/fixtures/schema';
import {
  amountsOf,
  exactOdds,
  legFactor,
  outcomeOf,
  outcomeOfTip,
  placeOdds,
  possiblePlaceTerms,
  type TipFactors,
  type Verdict,
  verdictOf,
  whole,
} from '@/lib/odds/rules';
import { type EachWayTerms, type Price, type SettlementOutcome, settlementOutcomes } from '@/lib/odds/schema';
import type { LedgerVerdict, LegFacts, Publication, Settlement } from '../schema/entries';
import { decimalText } from './csv';
import { verdictIn } from './verdict';

type Leg = { fixture: string; kind: MarketKind; price: Price; eachWayTerms: EachWayTerms | null; sport: string | null };

/** What settling a tip needs of its publication. */
export type Bet = { stakeHundredths: number; eachWay: boolean; legs: Leg[] };

/** What settling a tip needs of its publication, as a text, so that a verifier can keep millions of them. */
export function compactBet({ stakeHundredths, eachWay, legs }: Publication): string {
  return JSON.stringify([
    stakeHundredths,
    eachWay ? 1 : 0,
    ...legs.map(({ fixture, market, price, eachWayTerms, details }) => [
      fixture,
      market.kind,
      price.oddsThousandths,
      price.fraction ?? 0,
      eachWayTerms ?? 0,
      eachWayTerms ? (details?.sport ?? 0) : 0,
    ]),
  ]);
}

type CompactLeg = [
  fixture: string,
  kind: MarketKind,
  oddsThousandths: number,
  fraction: Price['fraction'] | 0,
  eachWayTerms: EachWayTerms | 0,
  sport: string | 0,
];

/** The bet that a compact text stands for. */
export function betIn(compact: string): Bet {
  const [stakeHundredths, eachWay, ...legs] = JSON.parse(compact) as [number, 0 | 1, ...CompactLeg[]];
  return {
    stakeHundredths,
    eachWay: eachWay === 1,
    legs: legs.map(([fixture, kind, oddsThousandths, fraction, eachWayTerms, sport]) => ({
      fixture,
      kind,
      price: { oddsThousandths, fraction: fraction || null },
      eachWayTerms: eachWayTerms || null,
      sport: sport || null,
    })),
  };
}

/** What a settlement comes to when it is computed again: all of it, what the older format tells, or the end of a sentence that says what is wrong with it. */
export type Recomputed = { kind: 'whole' } | { kind: 'in-part' } | { kind: 'wrong'; sentence: string };

const none: LedgerVerdict['deadHeat'] = { numerator: 1, denominator: 1 };
const isSame = (a: { numerator: number; denominator: number }, b: { numerator: number; denominator: number }) =>
  a.numerator === b.numerator && a.denominator === b.denominator;

function verdictProblem(
  { voidHalves, won, deadHeat, rule4Pence }: LedgerVerdict,
  { kind }: Leg,
  name: string,
): string | null {
  if (voidHalves === 2 && won) return `${name} is void and won at once`;
  if (deadHeat.numerator > deadHeat.denominator) return `${name} has a dead heat that pays more than the whole`;
  if (!won && !isSame(deadHeat, none)) return `${name} did not win and yet shares a dead heat`;
  if (kind !== 'outright-winner' && (rule4Pence > 0 || !isSame(deadHeat, none)))
    return `${name} has a dead heat or a Rule 4 deduction, which only a race or tournament has`;
  return null;
}

type Place = NonNullable<LegFacts['place']>;

function isPossible({ eachWayTerms, sport }: Leg, terms: Place['terms']): boolean {
  const possible = eachWayTerms && possiblePlaceTerms(eachWayTerms, sport);
  return (
    !possible ||
    possible.some((one) =>
      one && terms ? one.places === terms.places && isSame(one.fraction, terms.fraction) : one === terms,
    )
  );
}

function placeProblem(leg: Leg, win: LedgerVerdict, { terms, ...verdict }: Place, name: string): string | null {
  const isVoid = verdict.voidHalves === 2;
  if (isVoid !== (win.voidHalves === 2)) return `${name} is void in one part only`;
  if (verdict.rule4Pence !== win.rule4Pence) return `${name} has another Rule 4 deduction in its place part`;
  if ((terms || !isVoid) && !isPossible(leg, terms))
    return `${name} was settled by other place terms than those it was published with`;
  if (!terms && (verdict.won !== win.won || !isSame(verdict.deadHeat, win.deadHeat)))
    return `${name} had no place terms, so its place part must go as its win part`;
  if (win.won && !verdict.won) return `${name} won without being placed`;
  return verdictProblem(verdict, leg, `the place part of ${name}`);
}

function factsProblem(leg: Leg, { win, place }: LegFacts, eachWay: boolean, name: string): string | null {
  if (!win) return place && `${name} is not decided and yet has a place part`;
  if (eachWay && !place) return `${name} lacks the place part of an each-way tip`;
  if (!eachWay && place) return `${name} has a place part, but the tip is not each-way`;
  return verdictProblem(win, leg, name) ?? (place && placeProblem(leg, win, place, name));
}

/** What came of a leg: its outcome, null while undecided, and what a stake of 1 became in each part, null where that is not told. */
type LegResult = { outcome: SettlementOutcome | null; win: Fraction | null; place: Fraction | null };

function byFacts({ price }: Leg, { win, place }: LegFacts): LegResult {
  if (!win) return { outcome: null, win: null, place: null };
  const odds = exactOdds(price);
  const outcome = outcomeOf(verdictIn(win));
  return {
    outcome: outcome === 'lost' && place?.won ? 'placed' : outcome,
    win: legFactor(odds, verdictIn(win)),
    place: place && legFactor(place.terms ? placeOdds(odds, place.terms.fraction) : odds, verdictIn(place)),
  };
}

const plainVerdicts: Partial<Record<SettlementOutcome, Verdict>> = {
  won: verdictOf(['won', 'won']),
  'half-won': verdictOf(['won', 'void']),
  void: verdictOf(['void', 'void']),
  'half-lost': verdictOf(['lost', 'void']),
  lost: verdictOf(['lost', 'lost']),
};

/** What the outcome alone tells of a leg in the older format: nothing of what a dead heat, Rule 4 or place terms may have changed. */
function byOutcome({ kind, price }: Leg, outcome: SettlementOutcome | null, eachWay: boolean): LegResult {
  const verdict = outcome === null ? undefined : plainVerdicts[outcome];
  const isTold =
    verdict !== undefined && (outcome === 'lost' || outcome === 'void' || (!eachWay && kind !== 'outright-winner'));
  const win = isTold ? legFactor(exactOdds(price), verdict) : null;
  return { outcome, win, place: eachWay ? win : null };
}

function productOf(factors: readonly (Fraction | null)[]): Fraction | null {
  if (factors.some((factor) => factor?.n === 0n)) return new Fraction(0);
  return factors.reduce((product, factor) => product && factor && product.mul(factor), whole);
}

const units = (microunits: bigint) => decimalText(microunits, 6);
const stakes = (hundredths: number) => decimalText(BigInt(hundredths), 2);
const wrong = (sentence: string): Recomputed => ({ kind: 'wrong', sentence });

function byAmounts(
  { stakeHundredths, eachWay }: Bet,
  { outcome, stakedHundredths, profitMicrounits }: Settlement,
  factors: TipFactors | null,
): Recomputed {
  const atRisk = outcome === 'void' ? 0 : stakeHundredths * (eachWay ? 2 : 1);
  if (stakedHundredths !== atRisk)
    return wrong(`had ${stakes(atRisk)} units at stake, where it says ${stakes(stakedHundredths)}`);
  if (!factors) return { kind: 'in-part' };
  const profit = amountsOf(stakeHundredths, factors).profitMicrounits;
  return BigInt(profitMicrounits) === profit
    ? { kind: 'whole' }
    : wrong(
        `comes to a profit of ${units(profit)} units by its legs, where it says ${units(BigInt(profitMicrounits))}`,
      );
}

/**
 * Settlement §1: computes a settlement again from what was published and from the verdicts that it states: the outcome and the factor of each
 * leg, the product, the stake, the outcome and the profit of the tip. The legs are those of the bet, in its order. A settlement of the older
 * format tells no verdicts: where its outcomes alone do not decide the profit it is 'in-part', with its outcome and stake found right.
 */
export function recompute(bet: Bet, settlement: Settlement): Recomputed {
  const facts = settlement.legs.flatMap((leg) => leg.facts ?? []);
  if (facts.length > 0 && facts.length < settlement.legs.length)
    return wrong('states what some of its legs were computed from and not what the others were');
  const results: LegResult[] = [];
  for (const [index, leg] of bet.legs.entries()) {
    const name = `leg ${index + 1}`;
    const said = settlement.legs[index]?.outcome;
    const stated = settlementOutcomes.find((outcome) => outcome === said) ?? null;
    const own = facts[index];
    const problem = own && factsProblem(leg, own, bet.eachWay, name);
    if (problem) return wrong(`cannot be: ${problem}`);
    const result = own ? byFacts(leg, own) : byOutcome(leg, stated, bet.eachWay);
    const outcome = result.outcome ?? 'undecided';
    if (said !== outcome) return wrong(`comes to "${outcome}" in ${name}, where it says "${said}"`);
    results.push(result);
  }
  const outcome = outcomeOfTip(results.flatMap((result) => result.outcome ?? []));
  if (settlement.outcome !== outcome)
    return wrong(`comes to "${outcome}" by its legs, where it says "${settlement.outcome}"`);
  const win = productOf(results.map((result) => result.win));
  const place = bet.eachWay ? productOf(results.map((result) => result.place)) : null;
  const isDecided = win !== null && (place !== null || !bet.eachWay);
  if (!isDecided && results.some((result) => result.outcome === null))
    return wrong('leaves a leg undecided that no lost leg makes up for');
  return byAmounts(bet, settlement, isDecided ? { win, place } : null);
}
