import { TimeRange } from '@/lib/reference/schema';
import { type Breakdown, breakdownKinds, type BreakdownKind, type Rollup, type SettledTip } from '../schema/rollups';
import { everySport } from '../schema/comparison';
import { foldBreakdowns, mergeBreakdowns } from './breakdown';
import { windowOf } from './calendar';
import { recordDay } from './days';
import { type ShownSums, shownSums } from './figures';
import { emptyRollup, mergeAllRollups, mergeRollups, rollupOf } from './rollup';
import { type StandingBase, sumsOf } from './stored-standing';
import {
  breakdownIn,
  rollupIn,
  type StoredBreakdown,
  storedBreakdown,
  type StoredRollup,
  storedRollup,
} from './stored-rollup';

/** The version of the fold that days are stored by; days of an earlier one are folded anew. */
export const foldVersion = 3;

/** What is stored of a portfolio's day: its rollup and breakdowns, and the rollup of each sport, that of all sports first. */
export type DayFold = {
  rollup: Rollup;
  breakdowns: Record<BreakdownKind, Breakdown>;
  sports: { sportId: number; rollup: Rollup }[];
};

/** The same as JSON. */
export type StoredDay = {
  rollup: StoredRollup;
  breakdowns: Record<BreakdownKind, StoredBreakdown>;
  sports: { sportId: number; rollup: StoredRollup }[];
};

/** The same function, asked once for each argument: a day in one sport has the same rollup in all of them. */
export function onceEach<A extends object, B>(make: (argument: A) => B): (argument: A) => B {
  const made = new Map<A, B>();
  return (argument) => {
    const before = made.get(argument);
    if (before !== undefined) return before;
    const value = make(argument);
    made.set(argument, value);
    return value;
  };
}

const ofEachKind = <T>(of: (kind: BreakdownKind) => T) =>
  Object.fromEntries(breakdownKinds.map((kind) => [kind, of(kind)])) as Record<BreakdownKind, T>;

/** Product §7: the fold of a day on which these tips were settled, in their order. */
export function foldDay(tips: readonly SettledTip[]): DayFold {
  const rollups = tips.map((tip) => ({ sportId: tip.sportId, rollup: rollupOf(tip) }));
  const sportIds = [...new Set(tips.flatMap(({ sportId }) => (sportId === null ? [] : [sportId])))];
  const rollup = mergeAllRollups(rollups.map((own) => own.rollup));
  const of = (sportId: number) =>
    tips.every((tip) => tip.sportId === sportId)
      ? rollup
      : mergeAllRollups(rollups.flatMap((own) => (own.sportId === sportId ? [own.rollup] : [])));
  return {
    rollup,
    breakdowns: foldBreakdowns(tips),
    sports: [{ sportId: everySport, rollup }, ...sportIds.map((sportId) => ({ sportId, rollup: of(sportId) }))],
  };
}

/** Where a settlement stands among all, and when it was. */
export type SettledPlace = { ordinal: number; settledAt: Date };

/** The fold of tips that were numbered from 1 on before they were settled, with the places that they were then given, in the same order. */
export function placedFold({ rollup, breakdowns, sports }: DayFold, places: readonly SettledPlace[]): DayFold {
  const placeOf = (number: number) => {
    const place = places[number - 1];
    if (!place || (places[number - 2]?.ordinal ?? 0) >= place.ordinal)
      throw new RangeError('Settled tips have no places in the order in which they were folded.');
    return { sequence: place.ordinal, at: place.settledAt.toISOString() };
  };
  const placed = onceEach((own: Rollup): Rollup => {
    if (!own.span) return own;
    const [first, last] = [placeOf(own.span.firstSequence), placeOf(own.span.lastSequence)];
    const span = {
      firstSequence: first.sequence,
      lastSequence: last.sequence,
      firstSettledAt: first.at,
      lastSettledAt: last.at,
    };
    return { ...own, span };
  });
  return {
    rollup: placed(rollup),
    breakdowns,
    sports: sports.map(({ sportId, rollup: own }) => ({ sportId, rollup: placed(own) })),
  };
}

/** True when these tips were all settled after what a stored day holds, so that it need not be folded anew for them. */
export const comesAfter = ({ rollup: after }: DayFold, { rollup: before }: Pick<StoredDay, 'rollup'>): boolean =>
  before.span === null || after.span === null || after.span.firstSequence > before.span.lastSequence;

/** The fold of a stored day and of tips that come after it: the same as the fold of all of them. */
export function mergedDay(before: StoredDay, after: DayFold): DayFold {
  const known = new Map(before.sports.map(({ sportId, rollup }) => [sportId, rollup]));
  const merged = (own: Rollup, stored: StoredRollup | undefined) =>
    stored ? mergeRollups(rollupIn(stored), own) : own;
  return {
    rollup: merged(after.rollup, before.rollup),
    breakdowns: ofEachKind((kind) => mergeBreakdowns(breakdownIn(before.breakdowns[kind]), after.breakdowns[kind])),
    sports: after.sports.map(({ sportId, rollup }) => ({ sportId, rollup: merged(rollup, known.get(sportId)) })),
  };
}

/** The JSON of a day's fold. */
export function storedFold({ rollup, breakdowns, sports }: DayFold): StoredDay {
  const stored = onceEach(storedRollup);
  return {
    rollup: stored(rollup),
    breakdowns: ofEachKind((kind) => storedBreakdown(breakdowns[kind])),
    sports: sports.map((own) => ({ sportId: own.sportId, rollup: stored(own.rollup) })),
  };
}

/** Product §7: what is stored of a day on which these tips were settled, in their order. */
export const storedDay = (tips: readonly SettledTip[]): StoredDay => storedFold(foldDay(tips));

/** What a portfolio's statistics over a time range say. */
export type Standing = { period: TimeRange; shown: ShownSums };

type RangeSpan = { period: TimeRange; first: string };

let spans: { at: number; all: RangeSpan[] } | null = null;

/** The time ranges at `now` from the shortest on, each with its first day; those of the last moment asked for are kept. */
function spansAt(now: Date): RangeSpan[] {
  if (spans?.at !== now.getTime()) {
    const all = Object.values(TimeRange).map((period) => {
      const { from } = windowOf(period, now);
      return { period, first: from === null ? '' : recordDay(from) };
    });
    spans = { at: now.getTime(), all: all.toSorted((a, b) => (a.first < b.first ? 1 : a.first > b.first ? -1 : 0)) };
  }
  return spans.all;
}

/** Product §7: what a portfolio's standings on the day of `now` go on from, by its days in their order; all time ranges end with that day, so that each longer one goes on from the shorter. */
export function standingBase(days: readonly { day: string; rollup: Rollup }[], now: Date): StandingBase {
  const today = recordDay(now);
  let sum = emptyRollup;
  let until = days.filter(({ day }) => day < today).length;
  return new Map(
    spansAt(now).map(({ period, first }) => {
      let from = until;
      while (from > 0 && (days[from - 1]?.day ?? '') >= first) from -= 1;
      sum = mergeRollups(mergeAllRollups(days.slice(from, until).map(({ rollup }) => rollup)), sum);
      until = from;
      return [period, sum];
    }),
  );
}

/** Product §7: where a portfolio stands over every time range as of `now`, from the base of that day and from what was settled on it. */
export function standingsFrom(base: StandingBase | undefined, today: Rollup, now: Date): Standing[] {
  const shownFrom = onceEach((before: Rollup) => shownSums(mergeRollups(before, today)));
  return spansAt(now).map(({ period }) => ({ period, shown: shownFrom(sumsOf(base, period)) }));
}

/** Product §7: where a portfolio stands over every time range as of `now`, by its days in their order. */
export function standingsOf(days: readonly { day: string; rollup: Rollup }[], now: Date): Standing[] {
  const today = recordDay(now);
  return standingsFrom(standingBase(days, now), days.find(({ day }) => day === today)?.rollup ?? emptyRollup, now);
}
