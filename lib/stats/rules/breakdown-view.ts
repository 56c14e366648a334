import { marketKindName } from '@/lib/fixtures/rules';
import { formatMonth } from '@/lib/format';
import { sports } from '@/lib/reference/schema';
import { type BetType, betTypes, type Breakdown, type BreakdownKind, type Totals } from '../schema/rollups';
import type { BreakdownRow, BreakdownView, MonthOverview, Window } from '../schema/views';
import { bands } from './bands';
import { severalKey } from './breakdown';
import { monthsBetween } from './calendar';
import { summaryOf } from './figures';
import { mergeTotals, noTotals } from './totals';

/** The names of the bookmakers and leagues of a breakdown, by the text of their ids. */
export type BucketNames = ReadonlyMap<string, string>;

type Bucket = { key: string; label: string };

const hours: readonly Bucket[] = Array.from({ length: 24 }, (_, hour) => {
  const shown = String(hour).padStart(2, '0');
  return { key: String(hour), label: `${shown}:00 to ${shown}:59` };
});

function monthsOf(keys: readonly string[]): Bucket[] {
  const sorted = keys.toSorted();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last) return [];
  return monthsBetween(first, last).map((key) => ({ key, label: formatMonth(key) }));
}

const betTypeNames = new Map<string, string>(betTypes.map((type) => [type, nameOf(type)]));

/** What a bet type is called, by its key in a breakdown. */
export const betTypeName = (key: string): string => betTypeNames.get(key) ?? key;

function nameOf(type: BetType): string {
  if (type === 'accumulator') return 'Accumulator';
  return type === 'each-way' ? 'Each-way' : marketKindName(type);
}

const sportNames: BucketNames = new Map(sports.map(({ id, name }) => [String(id), name]));

/** The buckets that have tips, most of them first, the one of several last. */
function ranked(breakdown: Breakdown, labelOf: (key: string) => string): Bucket[] {
  const count = ({ tips, voids }: Totals) => tips + voids;
  const entries = Object.entries(breakdown).toSorted(
    ([a, of], [b, other]) =>
      Number(a === severalKey) - Number(b === severalKey) || count(other) - count(of) || (a < b ? -1 : 1),
  );
  return entries.map(([key]) => ({ key, label: labelOf(key) }));
}

const named = (names: BucketNames, one: string, several: string) => (key: string) =>
  key === severalKey ? several : (names.get(key) ?? `${one} ${key}`);

function bucketsOf(kind: BreakdownKind, breakdown: Breakdown, names: BucketNames): readonly Bucket[] {
  switch (kind) {
    case 'bookmaker':
      return ranked(breakdown, named(names, 'Bookmaker', 'Several bookmakers'));
    case 'league':
      return ranked(breakdown, named(names, 'League', 'Several leagues'));
    case 'sport':
      return ranked(breakdown, named(sportNames, 'Sport', 'Several sports'));
    case 'bet-type':
      return ranked(breakdown, betTypeName);
    case 'hour':
      return hours;
    case 'month':
      return monthsOf(Object.keys(breakdown));
    case 'odds-total':
    case 'time-before':
    case 'stake':
      return bands[kind].map(({ from, label }) => ({ key: String(from), label }));
  }
}

/**
 * Spec §7: a breakdown as it is shown. Hours, bands and the months from the first to the last are all there, in their own order, those
 * without tips too; of the others only those with tips, most tips first. No rows without tips; the window is that of the statistics.
 */
export function breakdownView(
  kind: BreakdownKind,
  breakdown: Breakdown,
  { window, names }: { window: Window | null; names: BucketNames },
): BreakdownView {
  const buckets = Object.keys(breakdown).length === 0 ? [] : bucketsOf(kind, breakdown, names);
  const rows = buckets.map(
    ({ key, label }): BreakdownRow => ({ key, label, ...summaryOf(breakdown[key] ?? noTotals, window) }),
  );
  return { kind, window, rows };
}

/** Spec §7, month-overview: the months of a breakdown by month in their years, newest year first. */
export function monthOverview(byMonth: Breakdown, window: Window | null): MonthOverview {
  const years = [...new Set(Object.keys(byMonth).map((month) => Number(month.slice(0, 4))))].toSorted((a, b) => b - a);
  return {
    window,
    years: years.map((year) => {
      const keys = monthsBetween(`${year}-01`, `${year}-12`);
      const months = keys.map((key) => {
        const totals = byMonth[key];
        return totals ? { key, label: formatMonth(key), ...summaryOf(totals, window) } : null;
      });
      const total = keys.reduce((sum, key) => mergeTotals(sum, byMonth[key] ?? noTotals), noTotals);
      return { year, months, total: summaryOf(total, window) };
    }),
  };
}
