import { placeTermsFor, racingSports, type Verdict, voided } from '@/lib/odds/rules';
import type { PlaceTerms } from '@/lib/odds/schema';
import type { Raced, Runner } from '../schema/outcomes';
import type { SettlementSettings } from '../schema/settings';
import type { LegInput } from '../schema/tips';
import { deadHeatFactor } from './dead-heat';
import { totalDeductionPence } from './rule-4';
import { betText, consequences, ordinal, termsText } from './sentences';

/** The win part of a bet on a race, its place part (null unless each-way) with the terms used, and the sentence that says why; or what the result would have to tell. */
export type RaceRuling =
  | { kind: 'ruled'; win: Verdict; place: { verdict: Verdict; terms: PlaceTerms | null } | null; rule: string }
  | { kind: 'missing'; what: string };

type Finish = { position: number; tied: number };

function finishOf({ position }: Runner, runners: readonly Runner[]): Finish | null {
  return position === null ? null : { position, tied: runners.filter((other) => other.position === position).length };
}

/** True when the result tells whether a runner is among the first `places`, and with how many it shares its own. */
const isTold = (places: number, finish: Finish | null, placesKnown: number) =>
  finish ? finish.position > places || finish.position <= placesKnown : places <= placesKnown;

function verdictFor(places: number, finish: Finish | null, deductionPence: number): Verdict {
  const deadHeat = deadHeatFactor(places, finish?.position ?? places + 1, finish?.tied ?? 1);
  return { voidHalves: 0, won: deadHeat.gt(0), deadHeat, deductionPence };
}

function finishText(finish: Finish | null): string {
  if (!finish) return 'unplaced';
  const place = ordinal(finish.position);
  return finish.tied > 1 ? `tied ${place} with ${finish.tied - 1} more` : place;
}

const sharedText = (subject: string, { won, deadHeat }: Verdict) =>
  won && deadHeat.lt(1) ? [`${subject}paid on ${deadHeat.toFraction()} of the stake for the dead heat`] : [];

function rule4Text(totalPence: number, takenPence: number): string[] {
  if (totalPence === 0) return [];
  return [
    takenPence > 0
      ? `Rule 4 took ${takenPence}p in the pound of the winnings`
      : `Rule 4 of ${totalPence}p in the pound was waived`,
  ];
}

function titleOf(leg: LegInput, terms: PlaceTerms | null, numberRan: number): string {
  if (!leg.eachWay) return betText(leg);
  if (!terms) return `Each-way, ${numberRan} ran, so the place stake went on the win`;
  return `Each-way, ${leg.eachWay.basis === 'fixed' ? 'fixed at ' : `${numberRan} ran, `}${termsText(terms)}`;
}

/** Settlement §4: settles a bet on the winner, or on a finish in the first places, of a race or tournament: dead heats, Rule 4, withdrawals and each-way. */
export function settleRace(leg: LegInput, race: Raced, { rule4MinimumPence }: SettlementSettings): RaceRuling {
  if (leg.market.kind !== 'outright-winner') return { kind: 'missing', what: 'a score' };
  const runner = race.runners.find(({ participantId }) => participantId === leg.selection.participantId);
  if (!runner) return { kind: 'missing', what: 'how the selection finished' };
  const terms = leg.eachWay && placeTermsFor(leg.eachWay, leg.sportReference, race);
  const eachWay = (verdict: Verdict) => leg.eachWay && { verdict, terms };
  if (runner.withdrawn)
    return {
      kind: 'ruled',
      win: voided,
      place: eachWay(voided),
      rule: `${betText(leg)}: a non-runner, ${consequences.void}.`,
    };

  const finish = finishOf(runner, race.runners);
  const winPlaces = leg.market.lineHundredths === 0 ? 1 : leg.market.lineHundredths / 100;
  const places = Math.max(winPlaces, terms?.places ?? 0);
  if (!isTold(places, finish, race.placesKnown))
    return { kind: 'missing', what: `who finished in the first ${places}` };
  const known = racingSports.includes(leg.sportReference) ? totalDeductionPence(race.runners, leg.placedAt) : 0;
  const total = known ?? 0;
  const deduction = total < rule4MinimumPence ? 0 : total;
  const win = verdictFor(winPlaces, finish, deduction);
  const place = eachWay(terms ? verdictFor(terms.places, finish, deduction) : win);
  const isPaid = win.won || place?.verdict.won === true;
  if (isPaid && known === null) return { kind: 'missing', what: 'the price of a withdrawn runner' };

  const clauses = [
    finishText(finish),
    consequences[win.won ? 'won' : isPaid ? 'placed' : 'lost'],
    ...sharedText(terms ? 'the win part ' : '', win),
    ...(place && terms ? sharedText('the place part ', place.verdict) : []),
    ...(isPaid ? rule4Text(total, deduction) : []),
  ];
  return { kind: 'ruled', win, place, rule: `${titleOf(leg, terms, race.numberRan)}: ${clauses.join(', ')}.` };
}
