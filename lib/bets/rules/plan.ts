import Fraction from 'fraction.js';
import { exactOdds, placeOdds, totalOddsThousandths } from '@/lib/odds/rules';
import { fixturesTwice, priceOf, type Slip, type SlipLeg } from './slip';

/** What a stake may be, and how it is written: bounds in minor units (hundredths of a unit), and the decimal places of an amount. */
export type StakeRule = { leastMinor: number; mostMinor: number; minorDigits: number };

/** A bet that a slip comes to. `key` names the attempt and what is in it: sent twice, it is placed once. */
export type PlannedBet = { key: string; legs: readonly SlipLeg[]; stakeMinor: number; eachWay: boolean };

/** The bets that a slip comes to, and why it cannot be placed, by field: 'legs', 'stake', or the selection's own stake. */
export type Plan = { bets: readonly PlannedBet[]; problems: Readonly<Record<string, string>> };

/** The field of a selection's own stake. */
export const stakeField = (selectionId: number): string => `stake-${selectionId}`;

/** An amount that was typed, in minor units, with a comma or a point; null for what is no such amount. */
export function readAmount(text: string, minorDigits: number): number | null {
  const [, whole = '', part = ''] = /^(\d{1,9})(?:[.,](\d+))?$/.exec(text.trim()) ?? [];
  if (whole === '' || part.length > minorDigits) return null;
  return Number(whole) * 10 ** minorDigits + Number(part.padEnd(minorDigits, '0') || 0);
}

/** An amount as it is typed: 1250 minor units of two places are "12.50". */
export const writeAmount = (minor: number, minorDigits: number): string =>
  (minor / 10 ** minorDigits).toFixed(minorDigits);

// FNV-1a: it tells apart what one person puts into a slip.
function hash(text: string): string {
  let value = 2_166_136_261;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 16_777_619);
  return (value >>> 0).toString(36);
}

function keyOf(slip: Slip, legs: readonly SlipLeg[], content: unknown): string {
  const attempts = legs.map(({ selectionId }) => slip.attempts[selectionId] ?? '');
  const text = JSON.stringify([
    attempts,
    legs.map((leg) => [leg.selectionId, leg.bookmakerId, leg.oddsThousandths]),
    content,
  ]);
  return `${attempts[0] || 'slip'}-${hash(text)}-${text.length}`;
}

/** Product §5: the bets that the slip comes to: each leg by itself at the level stake or its own, or all legs in one. `content` is what else is sent with each bet. */
export function planOf(
  slip: Slip,
  rule: StakeRule,
  { isLevel, content }: { isLevel: boolean; content: unknown },
): Plan {
  const problems: Record<string, string> = {};
  const stakeOf = (field: string, text: string): number => {
    const minor = readAmount(text, rule.minorDigits);
    if (minor !== null && minor >= rule.leastMinor && minor <= rule.mostMinor) return minor;
    const [least, most] = [rule.leastMinor, rule.mostMinor].map((bound) => writeAmount(bound, rule.minorDigits));
    problems[field] =
      `Enter a stake from ${least} to ${most}${rule.minorDigits > 0 ? `, with ${rule.minorDigits} decimal places at most` : ', in whole numbers'}.`;
    return 0;
  };
  const betOn = (legs: readonly SlipLeg[], stakeMinor: number, eachWay: boolean): PlannedBet => ({
    key: keyOf(slip, legs, [stakeMinor, eachWay, content]),
    legs,
    stakeMinor,
    eachWay,
  });
  const isEachWay = (leg: SlipLeg) => leg.eachWay !== null && slip.eachWay.includes(leg.selectionId);
  if (slip.mode === 'accumulator' && slip.legs.length > 1) {
    const twice = fixturesTwice(slip);
    if (twice.length > 0)
      problems.legs = `Two selections of one fixture cannot be in one accumulator: ${twice.join(', ')}. Remove one, or bet them as singles.`;
    const bets = [betOn(slip.legs, stakeOf('stake', slip.stake), slip.legs.every(isEachWay))];
    return { bets, problems };
  }
  const level = isLevel ? stakeOf('stake', slip.stake) : 0;
  const ownStake = ({ selectionId }: SlipLeg) =>
    stakeOf(stakeField(selectionId), slip.ownStakes[selectionId] ?? slip.stake);
  return { bets: slip.legs.map((leg) => betOn([leg], isLevel ? level : ownStake(leg), isEachWay(leg))), problems };
}

/** Settlement §1, §4: what a bet costs and returns if all of it wins, in minor units rounded once, and its total odds in thousandths; exact until then. */
export function returnsOf({ legs, stakeMinor, eachWay }: Pick<PlannedBet, 'legs' | 'stakeMinor' | 'eachWay'>): {
  stakedMinor: number;
  returnMinor: number;
  totalOddsThousandths: number;
} {
  const one = new Fraction(1);
  const win = legs.reduce((product, leg) => product.mul(exactOdds(priceOf(leg))), one);
  const place = eachWay
    ? legs.reduce(
        (product, leg) =>
          product.mul(placeOdds(exactOdds(priceOf(leg)), leg.eachWay?.fraction ?? { numerator: 1, denominator: 1 })),
        one,
      )
    : new Fraction(0);
  return {
    stakedMinor: stakeMinor * (eachWay ? 2 : 1),
    returnMinor: win.add(place).mul(stakeMinor).round().valueOf(),
    totalOddsThousandths: totalOddsThousandths(legs.map(priceOf)),
  };
}
