import type { OddsFraction } from '../schema/price';

const ladder = `
  1/100 1/66 1/50 1/40 1/33 1/28 1/25 1/22 1/20 1/18 1/16 1/14 1/12 1/11 1/10 1/9 1/8 2/17 2/15 1/7 2/13 1/6 2/11
  1/5 2/9 1/4 2/7 3/10 1/3 4/11 2/5 4/9 1/2 8/15 4/7 8/13 4/6 8/11 4/5 5/6 10/11 20/21 1/1 21/20 11/10 6/5 5/4 11/8
  7/5 6/4 13/8 7/4 15/8 2/1 17/8 9/4 19/8 5/2 11/4 3/1 10/3 7/2 4/1 9/2 5/1 11/2 6/1 13/2 7/1 15/2 8/1 17/2 9/1 19/2
  10/1 11/1 12/1 14/1 16/1 18/1 20/1 22/1 25/1 28/1 33/1 40/1 50/1 66/1 80/1 100/1 125/1 150/1 200/1 250/1 300/1
  400/1 500/1`
  .trim()
  .split(/\s+/)
  .map((rung): OddsFraction => {
    const [numerator, denominator] = rung.split('/').map(Number) as [number, number];
    return { numerator, denominator };
  });

/** The integer nearest to a/b, halves up; exact for whole a ≥ 0 and b > 0 as long as 2a + b is a safe integer. */
const roundedQuotient = (a: number, b: number): number => Math.floor((2 * a + b) / (2 * b));

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

function reduced({ numerator, denominator }: OddsFraction): OddsFraction {
  const divisor = commonDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

function valueKey(fraction: OddsFraction): string {
  const { numerator, denominator } = reduced(fraction);
  return `${numerator}/${denominator}`;
}

const nearestThousandth = ({ numerator, denominator }: OddsFraction): number =>
  1000 + roundedQuotient(1000 * numerator, denominator);

const nearestHundredth = ({ numerator, denominator }: OddsFraction): number =>
  1000 + 10 * roundedQuotient(100 * numerator, denominator);

const distanceToHundredth = (fraction: OddsFraction): number =>
  Math.abs((1000 * fraction.numerator) / fraction.denominator + 1000 - nearestHundredth(fraction));

const rungAtOdds = new Map<number, OddsFraction>();
for (const rung of ladder) {
  const rival = rungAtOdds.get(nearestHundredth(rung));
  if (!rival || distanceToHundredth(rung) < distanceToHundredth(rival)) rungAtOdds.set(nearestHundredth(rung), rung);
}
for (const rung of ladder) {
  if (rungAtOdds.get(nearestHundredth(rung)) !== rung) rungAtOdds.set(nearestThousandth(rung), rung);
}
const oddsOfRung = new Map([...rungAtOdds].map(([oddsThousandths, rung]) => [valueKey(rung), oddsThousandths]));

/**
 * The decimal odds of a fraction, in thousandths. Ours: a rung of the bookmakers' ladder is its nearest hundredth
 * (10/11 is 1.91, 13/8 is 2.63), or its nearest thousandth when another rung lies nearer to that hundredth (1/50 is
 * 1.02, so 1/66 is 1.015); any other fraction, and every fraction over 1000, is its nearest thousandth.
 */
export function oddsOfFraction(fraction: OddsFraction): number {
  const onLadder = fraction.denominator === 1000 ? undefined : oddsOfRung.get(valueKey(fraction));
  return onLadder ?? nearestThousandth(fraction);
}

/**
 * The fraction shown for decimal odds in thousandths: the ladder's rung with these odds, else the exact fraction,
 * reduced unless it would then read as a rung with other odds. `oddsOfFraction` gives the same odds back.
 */
export function fractionOfOdds(oddsThousandths: number): OddsFraction {
  const exact = { numerator: oddsThousandths - 1000, denominator: 1000 };
  return rungAtOdds.get(oddsThousandths) ?? (oddsOfRung.has(valueKey(exact)) ? exact : reduced(exact));
}

const rungs = ladder.map((rung) => ({ rung, winnings: (1000 * rung.numerator) / rung.denominator }));

/** The rung of the bookmakers' ladder that lies nearest to decimal odds in thousandths, by the ratio of what they pay: 1.69 is 4/6, 5.8 is 5/1. */
export function nearestRung(oddsThousandths: number): OddsFraction {
  const exact = rungAtOdds.get(oddsThousandths);
  if (exact) return exact;
  const wanted = oddsThousandths - 1000;
  const distance = (winnings: number) => Math.abs(Math.log(winnings / wanted));
  return rungs.reduce((best, each) => (distance(each.winnings) < distance(best.winnings) ? each : best)).rung;
}

/** The rung of the bookmakers' ladder whose rounding, to the hundredth or to the thousandth, decimal odds in thousandths are: 4.33 and 4.333 are 10/3; null where they are none's. */
export function rungRoundedTo(oddsThousandths: number): OddsFraction | null {
  const rung = nearestRung(oddsThousandths);
  return [nearestHundredth(rung), nearestThousandth(rung)].includes(oddsThousandths) ? rung : null;
}

/** Below evens a moneyline is the stake that wins 100: in thousandths, times the winnings of 1 in thousandths. */
const stakeTimesWinnings = 100_000_000;

/**
 * The decimal odds, in thousandths, of a moneyline in thousandths of a point (−110 is −110000), which must be −100 or
 * lower or +100 or higher. Ours: a whole negative moneyline is the hundredth whose nearest whole moneyline it is (−110
 * is 1.91); every other moneyline is its nearest thousandth (−107 is 1.935).
 */
export function oddsOfMoneyline(moneylineThousandths: number): number {
  if (moneylineThousandths > 0) return 1000 + roundedQuotient(moneylineThousandths, 100);
  const stake = -moneylineThousandths;
  const hundredths = roundedQuotient(stakeTimesWinnings / 10, stake);
  const isItsMoneyline = hundredths > 0 && 1000 * roundedQuotient(10_000, hundredths) === stake;
  return 1000 + (isItsMoneyline ? 10 * hundredths : roundedQuotient(stakeTimesWinnings, stake));
}

/**
 * The moneyline shown for decimal odds in thousandths, in thousandths of a point: from evens up the exact one, below
 * evens the one with the fewest decimals for which `oddsOfMoneyline` gives the same odds back.
 */
export function moneylineOfOdds(oddsThousandths: number): number {
  const winnings = oddsThousandths - 1000;
  if (winnings >= 1000) return winnings * 100;
  const rounded = (step: number) => -step * roundedQuotient(stakeTimesWinnings, winnings * step);
  const shown = [1000, 100, 10].find((step) => oddsOfMoneyline(rounded(step)) === oddsThousandths) ?? 1;
  return rounded(shown);
}
