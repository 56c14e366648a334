import type { SettlementOutcome } from '@/lib/odds/schema';
import type { FixtureOutcome, MatchScore, Raced, Tally } from '@/lib/settlement/schema/outcomes';
import type { SettlementSettings } from '@/lib/settlement/schema/settings';
import type { LegInput, TipInput, TipSettlement } from '@/lib/settlement/schema/tips';

// A second settlement, written apart from the first to be compared with it: it fills in betting slips (a part of the stake, what
// the slip is worth) and adds up what they pay in integers, where the first has one formula over fractions.

type Rational = { top: bigint; bottom: bigint };
type Mark = 'win' | 'push' | 'loss';
type Slip = { part: Rational; pays: Rational; mark: Mark };
type Folded = { slips: Slip[]; placeSlips: Slip[] | null } | 'open';

const ratio = (top: number | bigint, bottom: number | bigint = 1): Rational => ({
  top: BigInt(top),
  bottom: BigInt(bottom),
});
const plus = (a: Rational, b: Rational): Rational => ({
  top: a.top * b.bottom + b.top * a.bottom,
  bottom: a.bottom * b.bottom,
});
const times = (a: Rational, b: Rational): Rational => ({ top: a.top * b.top, bottom: a.bottom * b.bottom });
const nought = ratio(0);
const one = ratio(1);

/** What is won on top of the stake. */
const winningsOf = ({ price }: LegInput): Rational =>
  price.fraction
    ? ratio(price.fraction.numerator, price.fraction.denominator)
    : ratio(price.oddsThousandths - 1000, 1000);

const slipOf = (leg: LegInput, part: Rational, mark: Mark): Slip => ({
  part,
  mark,
  pays: mark === 'win' ? plus(winningsOf(leg), one) : mark === 'push' ? one : nought,
});
const refund = (leg: LegInput): Folded => ({
  slips: [slipOf(leg, one, 'push')],
  placeSlips: leg.eachWay ? [slipOf(leg, one, 'push')] : null,
});

const leader = (home: number, away: number) => (home === away ? 'draw' : home > away ? 'home' : 'away');

/** The lines that the parts of a stake stand on, in quarters: an odd number of quarters is two lines. */
function quartersOf({ market }: LegInput): number[] {
  const quarters = market.lineHundredths / 25;
  return Math.abs(quarters) % 2 === 1 ? [quarters - 1, quarters + 1] : [quarters];
}

/** What the market as a whole came to by a score on one of its lines. */
function verdictOn(leg: LegInput, home: number, away: number, quarters: number): string {
  const { kind, listedKeys } = leg.market;
  if (kind === 'total')
    return 4 * (home + away) === quarters ? 'push' : 4 * (home + away) > quarters ? 'over' : 'under';
  if (kind === 'asian-handicap' || kind === 'european-handicap') return leader(4 * home + quarters, 4 * away);
  if (kind === 'both-teams-to-score') return Math.min(home, away) > 0 ? 'yes' : 'no';
  const score = [home, away].join('-');
  if (kind === 'correct-score') return listedKeys.length === 0 || listedKeys.includes(score) ? score : 'other';
  if (kind === 'set-betting') return score;
  return leader(home, away);
}

const twoWay = ['draw-no-bet', 'moneyline', 'asian-handicap'];

function markOf({ market, selection: { key } }: LegInput, verdict: string): Mark {
  if (verdict === 'push' || (verdict === 'draw' && twoWay.includes(market.kind))) return 'push';
  if (market.kind === 'double-chance') return key.split('-').includes(verdict) ? 'win' : 'loss';
  return verdict === key ? 'win' : 'loss';
}

function slipsOn(leg: LegInput, marks: (Mark | 'open')[]): Folded {
  return {
    slips: marks.map((mark) => slipOf(leg, ratio(1, marks.length), mark === 'open' ? 'push' : mark)),
    placeSlips: null,
  };
}

const doesCountOvertime = ({ sportReference, market }: LegInput) =>
  sportReference === 'football' ? false : market.includesOvertime;

/** The score of the market's part of the match, and whether that part was reached. */
function tallyOf(leg: LegInput, score: MatchScore): Tally | null {
  if (score.kind === 'points') {
    if (leg.market.period === 'half-time') return score.halfTime;
    return doesCountOvertime(leg) ? score.final : score.regulation;
  }
  if (leg.market.period === 'half-time') return null;
  if (score.kind === 'sets-won')
    return ['total', 'asian-handicap', 'european-handicap'].includes(leg.market.kind) ? null : score.won;
  const everySet = score.unfinished ? score.sets.concat(score.unfinished) : score.sets;
  let [home, away] = [0, 0];
  if (['total', 'asian-handicap', 'european-handicap'].includes(leg.market.kind)) {
    for (const set of everySet) [home, away] = [home + set.home, away + set.away];
  } else {
    for (const set of score.sets) [home, away] = set.home > set.away ? [home + 1, away] : [home, away + 1];
  }
  return { home, away };
}

function scorerMark(leg: LegInput, score: MatchScore): Mark | 'open' {
  if (score.kind !== 'points' || score.goals === null) return 'open';
  if (score.absentees.some((absentee) => absentee === leg.selection.key)) return 'push';
  const periods =
    leg.market.period === 'half-time'
      ? ['first-half']
      : ['first-half', 'second-half', ...(doesCountOvertime(leg) ? ['overtime'] : [])];
  return score.goals.some((goal) => goal.scorer === leg.selection.key && !goal.ownGoal && periods.includes(goal.period))
    ? 'win'
    : 'loss';
}

function finished(leg: LegInput, score: MatchScore): Folded {
  if (leg.market.kind === 'scorer') {
    const mark = scorerMark(leg, score);
    return mark === 'open' ? 'open' : slipsOn(leg, [mark]);
  }
  const tally = tallyOf(leg, score);
  if (leg.market.kind === 'outright-winner' || !tally) return 'open';
  if (leg.market.kind === 'half-time-full-time') {
    if (score.kind !== 'points' || !score.halfTime) return 'open';
    const verdict = `${leader(score.halfTime.home, score.halfTime.away)}/${leader(tally.home, tally.away)}`;
    return slipsOn(leg, [verdict === leg.selection.key ? 'win' : 'loss']);
  }
  return slipsOn(
    leg,
    quartersOf(leg).map((quarters) => markOf(leg, verdictOn(leg, tally.home, tally.away, quarters))),
  );
}

const further = [...Array.from({ length: 12 }, (_, goals) => goals), 1000];

/** What stands when the match went no further: for each line, its verdict if every way on leads to it. */
function cutShort(leg: LegInput, score: MatchScore): (Mark | 'open')[] {
  const { kind, period, listedKeys } = leg.market;
  const isOver =
    score.kind === 'points' && (period === 'half-time' ? score.halfTime : !doesCountOvertime(leg) && score.regulation);
  if (isOver) {
    const folded = finished(leg, score);
    if (folded !== 'open') return folded.slips.map(({ mark }) => mark);
  }
  if (kind === 'scorer') return [scorerMark(leg, score) === 'win' ? 'win' : 'open'];
  if (kind === 'outright-winner' || kind === 'half-time-full-time' || isOver) return ['open'];
  if (kind === 'correct-score' && listedKeys.length === 0) return ['open'];
  const least = tallyOf(leg, score) ?? (score.kind === 'points' ? score.final : { home: 0, away: 0 });
  const level = Math.abs(least.home - least.away);
  const ways = [...further, level, level + 1];
  return quartersOf(leg).map((quarters) => {
    const verdict = verdictOn(leg, least.home, least.away, quarters);
    const isSettled = ways.every((home) =>
      ways.every((away) => verdictOn(leg, least.home + home, least.away + away, quarters) === verdict),
    );
    return isSettled ? markOf(leg, verdict) : 'open';
  });
}

const isAllOpen = (marks: (Mark | 'open')[]) => marks.every((mark) => mark === 'open');

function abandoned(
  leg: LegInput,
  outcome: Extract<FixtureOutcome, { kind: 'abandoned' }>,
  hours: number,
  now: number,
): Folded {
  const end = Date.parse(outcome.abandonedAt) + hours * 3_600_000;
  if (outcome.resumed && Date.parse(outcome.resumed.resumedAt) <= end) return finished(leg, outcome.resumed.score);
  const marks = outcome.score ? cutShort(leg, outcome.score) : ['open' as const];
  if (!marks.includes('open')) return slipsOn(leg, marks);
  if (!outcome.resumed && now <= end) return 'open';
  if (leg.market.kind === 'scorer' && outcome.score?.kind === 'points' && outcome.score.goals === null) {
    const { home, away } = outcome.score.final;
    if (Math.max(home, away) > 0) return 'open';
  }
  return isAllOpen(marks) ? refund(leg) : slipsOn(leg, marks);
}

function retired(
  leg: LegInput,
  { goesThrough, score }: Extract<FixtureOutcome, { kind: 'retired' }>,
  { retirementRule }: SettlementSettings,
): Folded {
  const marks = cutShort(leg, score);
  if (!isAllOpen(marks)) return slipsOn(leg, marks);
  const stands = retirementRule === 'progress' || (retirementRule === 'one-set' && score.sets.length > 0);
  if (leg.market.kind !== 'moneyline' || !stands) return refund(leg);
  return slipsOn(leg, [goesThrough === leg.selection.key ? 'win' : 'loss']);
}

const rule4Scale =
  '2/17 85, 1/5 80, 2/7 75, 1/3 70, 4/9 65, 4/7 60, 4/6 55, 5/6 50, 1/1 45, 5/4 40, 13/8 35, 15/8 30, 5/2 25, 10/3 20, 9/2 15, 6/1 10, 10/1 5'
    .split(', ')
    .map((step) => step.split(/[/ ]/).map(BigInt));

function penceOff(numerator: number, denominator: number): number {
  const [won, staked] = [BigInt(numerator), BigInt(denominator)];
  let pence = 90n;
  for (const [top = 0n, bottom = 1n, off = 0n] of rule4Scale) {
    if (won * bottom >= top * staked) pence = off;
  }
  return won > 14n * staked ? 0 : Number(pence);
}

type Terms = { places: number; share: Rational };

function termsFor({ eachWay, sportReference }: LegInput, { numberRan, handicap }: Raced): Terms | null {
  if (!eachWay) return null;
  const { places, fraction, basis } = eachWay;
  if (basis === 'standard' && sportReference === 'golf') return { places: 5, share: ratio(1, 4) };
  if (basis === 'standard' && (sportReference === 'horse-racing' || sportReference === 'greyhounds')) {
    if (numberRan <= 4) return null;
    if (numberRan <= 7) return { places: 2, share: ratio(1, 4) };
    if (numberRan <= 11 || !handicap) return { places: 3, share: ratio(1, 5) };
    return { places: numberRan <= 15 ? 3 : 4, share: ratio(1, 4) };
  }
  return { places, share: ratio(fraction.numerator, fraction.denominator) };
}

function raced(leg: LegInput, race: Raced, { rule4MinimumPence }: SettlementSettings): Folded {
  const runner = race.runners.find(({ participantId }) => participantId === leg.selection.participantId);
  if (leg.market.kind !== 'outright-winner' || !runner) return 'open';
  if (runner.withdrawn) return refund(leg);
  const terms = termsFor(leg, race);
  const winPlaces = leg.market.lineHundredths > 0 ? leg.market.lineHundredths / 100 : 1;
  const places = terms && terms.places > winPlaces ? terms.places : winPlaces;
  const { position } = runner;
  if (position === null ? race.placesKnown < places : position <= places && race.placesKnown < position) return 'open';

  let deducted = 0;
  let isPriced = true;
  if (leg.sportReference === 'horse-racing' || leg.sportReference === 'greyhounds') {
    for (const { withdrawn } of race.runners) {
      if (!withdrawn || Date.parse(withdrawn.withdrawnAt) <= Date.parse(leg.placedAt)) continue;
      if (withdrawn.price) deducted += penceOff(withdrawn.price.numerator, withdrawn.price.denominator);
      else isPriced = false;
    }
  }
  if (deducted === 5 && rule4MinimumPence === 10) deducted = 0;
  const kept = ratio(100 - Math.min(deducted, 90), 100);

  // Those who tie take as many positions as they are; each is worth the same share of those that are paid.
  const tied = race.runners.filter((other) => position !== null && other.position === position).length;
  const slips = (paid: number, winnings: Rational): Slip[] => {
    const taken = position === null ? [] : Array.from({ length: tied }, (_, index) => position + index);
    const within = taken.filter((place) => place <= paid).length;
    if (within === 0) return [{ part: one, pays: nought, mark: 'loss' }];
    return [{ part: ratio(within, tied), pays: plus(times(winnings, kept), one), mark: 'win' }];
  };
  const win = slips(winPlaces, winningsOf(leg));
  const place = terms ? slips(terms.places, times(winningsOf(leg), terms.share)) : win;
  const isPaid = [...win, ...(leg.eachWay ? place : [])].some(({ mark }) => mark === 'win');
  if (isPaid && !isPriced) return 'open';
  return { slips: win, placeSlips: leg.eachWay ? place : null };
}

function foldLeg({ leg, outcome, settings }: TipInput['legs'][number], now: number): Folded {
  const end = Date.parse(leg.startsAt) + settings.postponementHours * 3_600_000;
  if (outcome.kind === 'awaiting-result') return now > end && Date.parse(outcome.startsAt) > end ? refund(leg) : 'open';
  if (outcome.kind === 'postponed') return now > end ? refund(leg) : 'open';
  if (!('startedAt' in outcome) || Date.parse(outcome.startedAt) > end) return refund(leg);
  if (outcome.kind === 'scored') return finished(leg, outcome.score);
  if (outcome.kind === 'raced') return raced(leg, outcome, settings);
  if (outcome.kind === 'abandoned') return abandoned(leg, outcome, settings.postponementHours, now);
  return retired(leg, outcome, settings);
}

const worth = (slips: Slip[]): Rational => slips.reduce((sum, { part, pays }) => plus(sum, times(part, pays)), nought);

function nameOf({ slips, placeSlips }: Exclude<Folded, 'open'>): SettlementOutcome {
  const has = (mark: Mark) => slips.some((slip) => slip.mark === mark);
  if (has('win')) return has('push') ? 'half-won' : 'won';
  if (has('loss') && has('push')) return 'half-lost';
  if (has('push')) return 'void';
  return placeSlips?.some(({ mark }) => mark === 'win') ? 'placed' : 'lost';
}

const worstFirst: SettlementOutcome[] = ['lost', 'half-lost', 'placed', 'half-won', 'won'];

/** What a tip comes to by slips; null while it is open. The return is top over bottom, in units, not in lowest terms. */
export function foldTip(
  { stakeHundredths, legs }: TipInput,
  now: Date,
): { outcome: SettlementOutcome; stakedHundredths: number; returned: Rational } | null {
  const folded = legs.map((leg) => foldLeg(leg, now.getTime()));
  const isEachWay = legs[0]?.leg.eachWay !== null;
  const product = (slipsOf: (leg: Exclude<Folded, 'open'>) => Slip[]): Rational | null => {
    const factors = folded.map((leg) => (leg === 'open' ? null : worth(slipsOf(leg))));
    if (factors.some((factor) => factor?.top === 0n)) return nought;
    let all = one;
    for (const factor of factors) {
      if (!factor) return null;
      all = times(all, factor);
    }
    return all;
  };
  const parts = [product(({ slips }) => slips), ...(isEachWay ? [product(({ placeSlips }) => placeSlips ?? [])] : [])];
  let returned = nought;
  for (const part of parts) {
    if (!part) return null;
    returned = plus(returned, times(part, ratio(stakeHundredths, 100)));
  }
  const names = folded.map((leg) => (leg === 'open' ? 'void' : nameOf(leg)));
  return {
    outcome: worstFirst.find((name) => names.includes(name)) ?? 'void',
    stakedHundredths: stakeHundredths * parts.length,
    returned,
  };
}

/** To the nearest millionth, halves up, by division with remainder. */
function millionths({ top, bottom }: Rational): bigint {
  const quotient = (top * 1_000_000n) / bottom;
  const remainder = top * 1_000_000n - quotient * bottom;
  return remainder + remainder >= bottom ? quotient + 1n : quotient;
}

/** In what a settlement differs from the slips, in a sentence; null when they agree in every figure. */
export function differenceFrom(settlement: TipSettlement, tip: TipInput, now: Date): string | null {
  const folded = foldTip(tip, now);
  if (!folded || settlement.kind === 'undecided') {
    return !folded && settlement.kind === 'undecided'
      ? null
      : `The settlement is ${settlement.kind}, the slips are ${folded ? 'settled' : 'open'}.`;
  }
  const { outcome, stakedHundredths, returned } = folded;
  const staked = ratio(stakedHundredths, 100);
  const figures: [name: string, theirs: string, equal: boolean][] = [
    ['outcome', outcome, outcome === settlement.outcome],
    ['stake', String(stakedHundredths), stakedHundredths === settlement.stakedHundredths],
    [
      'return',
      `${returned.top}/${returned.bottom}`,
      BigInt(settlement.returnExact.numerator) * returned.bottom ===
        returned.top * BigInt(settlement.returnExact.denominator),
    ],
    [
      'profit',
      `${returned.top}/${returned.bottom} less ${staked.top}/100`,
      BigInt(settlement.profitExact.numerator) * returned.bottom * 100n ===
        (returned.top * 100n - staked.top * returned.bottom) * BigInt(settlement.profitExact.denominator),
    ],
    [
      'return in millionths',
      String(millionths(returned)),
      String(millionths(returned)) === settlement.returnMicrounits,
    ],
    [
      'profit in millionths',
      String(millionths(returned) - staked.top * 10_000n),
      String(millionths(returned) - staked.top * 10_000n) === settlement.profitMicrounits,
    ],
  ];
  const wrong = figures.find(([, , equal]) => !equal);
  return wrong ? `By the slips the ${wrong[0]} is ${wrong[1]}.` : null;
}
