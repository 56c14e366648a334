import {
  exactOdds,
  exactOf,
  type Halves,
  legFactor,
  outcomeOf,
  placeOdds,
  type Verdict,
  verdictOf,
  voided,
} from '@/lib/odds/rules';
import type { PlaceTerms } from '@/lib/odds/schema';
import { ledgerVerdictOf } from '@/lib/record/rules';
import type { LegSettlement, UndecidedLeg } from '@/lib/record/schema';
import type { FixtureOutcome, MatchScore } from '../schema/outcomes';
import type { SettlementSettings } from '../schema/settings';
import type { LegInput } from '../schema/tips';
import { settleEarly } from './decided';
import { settleRace } from './racing';
import { settleScore } from './scores';
import { betText, consequences, hoursText, setsText } from './sentences';

type Outcome<K extends FixtureOutcome['kind']> = Extract<FixtureOutcome, { kind: K }>;
type Place = { verdict: Verdict; terms: PlaceTerms | null } | null;

const hour = 3_600_000;

function settled(leg: LegInput, win: Verdict, place: Place, rule: string): LegSettlement {
  const odds = exactOdds(leg.price);
  const winOutcome = outcomeOf(win);
  const oddsOfPlace = place?.terms ? placeOdds(odds, place.terms.fraction) : odds;
  return {
    kind: 'settled',
    outcome: winOutcome === 'lost' && place?.verdict.won ? 'placed' : winOutcome,
    rule,
    winFactor: exactOf(legFactor(odds, win)),
    placeFactor: place && exactOf(legFactor(oddsOfPlace, place.verdict)),
    win: ledgerVerdictOf(win),
    place: place && ledgerVerdictOf(place.verdict),
    terms: place && place.terms,
    rule4Pence: win.deductionPence,
  };
}

const returned = (leg: LegInput, why: string): LegSettlement =>
  settled(leg, voided, leg.eachWay && { verdict: voided, terms: null }, `${why}, ${consequences.void}.`);

function byHalves(leg: LegInput, halves: Halves, fact: string): LegSettlement {
  const verdict = verdictOf(halves);
  return settled(leg, verdict, null, `${betText(leg)}: ${fact}, ${consequences[outcomeOf(verdict)]}.`);
}

const undecided = (
  reason: UndecidedLeg['reason'],
  since: string,
  until: string | null,
  rule: string,
): LegSettlement => ({ kind: 'undecided', reason, rule, since, until });

const awaitingDetail = (leg: LegInput, what: string) =>
  undecided('awaiting-detail', leg.startsAt, null, `The result does not say ${what} yet.`);

function byScore(leg: LegInput, score: MatchScore): LegSettlement {
  const ruling = settleScore(leg, score);
  return ruling.kind === 'missing' ? awaitingDetail(leg, ruling.what) : byHalves(leg, ruling.halves, ruling.fact);
}

function byRace(leg: LegInput, race: Outcome<'raced'>, settings: SettlementSettings): LegSettlement {
  const ruling = settleRace(leg, race, settings);
  return ruling.kind === 'missing'
    ? awaitingDetail(leg, ruling.what)
    : settled(leg, ruling.win, ruling.place, ruling.rule);
}

function byPostponement(leg: LegInput, { postponementHours }: SettlementSettings, now: Date): LegSettlement {
  const until = Date.parse(leg.startsAt) + postponementHours * hour;
  const condition = `started within ${hoursText(postponementHours)} of the announced start`;
  if (now.getTime() > until) return returned(leg, `Postponed and not ${condition}`);
  return undecided(
    'postponed',
    leg.startsAt,
    new Date(until).toISOString(),
    `Postponed: the stake is returned unless it is ${condition}.`,
  );
}

const day = 24 * hour;

// Ours (0103): until it starts, what is put off by a day or more is told as postponed, also inside the window.
function byAnnouncement(
  leg: LegInput,
  { startsAt }: Outcome<'awaiting-result'>,
  settings: SettlementSettings,
  now: Date,
): LegSettlement {
  const start = Date.parse(startsAt);
  const later = start - Date.parse(leg.startsAt);
  if (later > settings.postponementHours * hour || (later >= day && start > now.getTime()))
    return byPostponement(leg, settings, now);
  return undecided('awaiting-result', leg.startsAt, null, 'The result is awaited.');
}

/** Whether a result leaves open who scored where somebody did. */
const isScorerUntold = (leg: LegInput, score: MatchScore | null) =>
  leg.market.kind === 'scorer' &&
  score?.kind === 'points' &&
  score.goals === null &&
  score.final.home + score.final.away > 0;

function byAbandonment(
  leg: LegInput,
  { abandonedAt, score, resumed }: Outcome<'abandoned'>,
  { postponementHours }: SettlementSettings,
  now: Date,
): LegSettlement {
  const until = Date.parse(abandonedAt) + postponementHours * hour;
  if (resumed && Date.parse(resumed.resumedAt) <= until) return byScore(leg, resumed.score);
  const mayResume = !resumed && now.getTime() <= until;
  const early = score && settleEarly(leg, score);
  const [first, second] = early?.halves ?? [null, null];
  if (early && first && (second || !mayResume))
    return byHalves(leg, [first, second ?? 'void'], `${early.fact} before it was abandoned`);
  const condition = `resumed within ${hoursText(postponementHours)}`;
  if (!mayResume && isScorerUntold(leg, score)) return awaitingDetail(leg, 'who scored');
  if (!mayResume) return returned(leg, `Abandoned and not ${condition}`);
  return undecided(
    'abandoned',
    abandonedAt,
    new Date(until).toISOString(),
    `Abandoned: the stake is returned unless it is ${condition}.`,
  );
}

const retirementRules: Record<SettlementSettings['retirementRule'], { text: string; leastSets: number }> = {
  complete: { text: 'bets stand only on a completed match', leastSets: Infinity },
  'one-set': { text: 'bets stand after one completed set', leastSets: 1 },
  progress: { text: 'the player who goes through wins', leastSets: 0 },
};

function byRetirement(
  leg: LegInput,
  { goesThrough, score }: Outcome<'retired'>,
  { retirementRule }: SettlementSettings,
): LegSettlement {
  const early = settleEarly(leg, score);
  if (early) return byHalves(leg, [early.halves[0], early.halves[1] ?? 'void'], `${early.fact} before the retirement`);
  if (leg.market.kind !== 'moneyline') return returned(leg, `${betText(leg)}: not decided when a player retired`);
  const { text, leastSets } = retirementRules[retirementRule];
  const fact = `a player retired after ${setsText(score.sets.length)}, ${text}`;
  if (score.sets.length < leastSets) return returned(leg, `${betText(leg)}: ${fact}`);
  const half = leg.selection.key === goesThrough ? 'won' : 'lost';
  return byHalves(leg, [half, half], fact);
}

function byStart(
  leg: LegInput,
  outcome: Outcome<'scored' | 'raced' | 'abandoned' | 'retired'>,
  settings: SettlementSettings,
  now: Date,
): LegSettlement {
  if (Date.parse(leg.placedAt) >= Date.parse(outcome.startedAt)) return returned(leg, 'Taken after the actual start');
  const { postponementHours } = settings;
  const isLate = Date.parse(outcome.startedAt) > Date.parse(leg.startsAt) + postponementHours * hour;
  if (isLate) return returned(leg, `Not started within ${hoursText(postponementHours)} of the announced start`);
  switch (outcome.kind) {
    case 'scored':
      return byScore(leg, outcome.score);
    case 'raced':
      return byRace(leg, outcome, settings);
    case 'abandoned':
      return byAbandonment(leg, outcome, settings, now);
    case 'retired':
      return byRetirement(leg, outcome, settings);
  }
}

/**
 * Settlement §2–§4: settles one leg by what happened to its fixture, as known at `now`; exact, and with the sentence that is printed on the tip.
 * Ours: void where it turns out that the fixture had started before the leg was taken (0100), and where the start was put off past the window and the
 * window is over (0103).
 */
export function settleLeg(
  leg: LegInput,
  outcome: FixtureOutcome,
  settings: SettlementSettings,
  now: Date,
): LegSettlement {
  switch (outcome.kind) {
    case 'awaiting-result':
      return byAnnouncement(leg, outcome, settings, now);
    case 'postponed':
      return byPostponement(leg, settings, now);
    case 'walkover':
      return returned(leg, 'Walkover');
    case 'sides-switched':
      return returned(leg, 'Home and away were switched');
    case 'not-started':
      return returned(leg, 'A participant did not start');
    default:
      return byStart(leg, outcome, settings, now);
  }
}
