import type { SettledTip, StakePlan, Totals } from '../schema/rollups';

/** Ours: what became of a tip: won with a profit, lost with a loss, level when a bet that stood gave back what it cost, void when none stood. */
export type TipResult = 'won' | 'lost' | 'level' | 'void';

/** What became of a tip at the advised stake. */
export function tipResult({
  stakedHundredths,
  profitMicrounits,
}: Pick<SettledTip, 'stakedHundredths' | 'profitMicrounits'>): TipResult {
  if (stakedHundredths === 0) return 'void';
  const profit = BigInt(profitMicrounits);
  return profit > 0n ? 'won' : profit < 0n ? 'lost' : 'level';
}

/** The totals of no tips. */
export const noTotals: Totals = {
  tips: 0,
  voids: 0,
  won: 0,
  oddsMillionths: 0n,
  advised: { stakedHundredths: 0n, profitMicrounits: 0n },
  level: { stakedHundredths: 0n, profitMicrounits: 0n },
  clv: { count: 0, sumBillionths: 0n },
  noVigClv: { count: 0, sumBillionths: 0n },
};

const valueSum = (billionths: SettledTip['clvBillionths']) => ({
  count: billionths === null ? 0 : 1,
  sumBillionths: BigInt(billionths ?? 0),
});

/** Product §7: the totals of one tip; of a void one nothing but that it was void. */
export function totalsOf(tip: SettledTip): Totals {
  const result = tipResult(tip);
  if (result === 'void') return { ...noTotals, voids: 1 };
  return {
    tips: 1,
    voids: 0,
    won: result === 'won' ? 1 : 0,
    oddsMillionths: BigInt(tip.oddsMillionths),
    advised: { stakedHundredths: BigInt(tip.stakedHundredths), profitMicrounits: BigInt(tip.profitMicrounits) },
    level: { stakedHundredths: BigInt(tip.levelStakedHundredths), profitMicrounits: BigInt(tip.levelProfitMicrounits) },
    clv: valueSum(tip.clvBillionths),
    noVigClv: valueSum(tip.noVigClvBillionths),
  };
}

const mergeStakes = (a: Totals[StakePlan], b: Totals[StakePlan]): Totals[StakePlan] => ({
  stakedHundredths: a.stakedHundredths + b.stakedHundredths,
  profitMicrounits: a.profitMicrounits + b.profitMicrounits,
});

const mergeValues = (a: Totals['clv'], b: Totals['clv']): Totals['clv'] => ({
  count: a.count + b.count,
  sumBillionths: a.sumBillionths + b.sumBillionths,
});

/** The totals of two sets of tips together, in whichever order; `noTotals` changes nothing. */
export function mergeTotals(a: Totals, b: Totals): Totals {
  return {
    tips: a.tips + b.tips,
    voids: a.voids + b.voids,
    won: a.won + b.won,
    oddsMillionths: a.oddsMillionths + b.oddsMillionths,
    advised: mergeStakes(a.advised, b.advised),
    level: mergeStakes(a.level, b.level),
    clv: mergeValues(a.clv, b.clv),
    noVigClv: mergeValues(a.noVigClv, b.noVigClv),
  };
}

/** A copy of totals that `addTotals` may change. */
export const copyOfTotals = (totals: Totals): Totals => ({
  ...totals,
  advised: { ...totals.advised },
  level: { ...totals.level },
  clv: { ...totals.clv },
  noVigClv: { ...totals.noVigClv },
});

/** Adds totals to others in place: the same as merging them, without a copy for each tip. */
export function addTotals(to: Totals, from: Totals): void {
  to.tips += from.tips;
  to.voids += from.voids;
  to.won += from.won;
  to.oddsMillionths += from.oddsMillionths;
  for (const plan of ['advised', 'level'] as const) {
    to[plan].stakedHundredths += from[plan].stakedHundredths;
    to[plan].profitMicrounits += from[plan].profitMicrounits;
  }
  for (const value of ['clv', 'noVigClv'] as const) {
    to[value].count += from[value].count;
    to[value].sumBillionths += from[value].sumBillionths;
  }
}
