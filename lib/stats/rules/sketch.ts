import { sports, TimeRange } from '@/lib/reference/schema';
import type { StakePlan } from '../schema/rollups';
import { type Speciality, sketchParts, type specialityKinds } from '../schema/sketches';
import { severalKey } from './breakdown';
import { betTypeName } from './breakdown-view';
import { windowOf } from './calendar';
import { recordDay } from './days';

/** What a curve needs of a day: how many bets stood, and the profit in microunits. */
export type DayProfit = { day: string; tips: number } & Record<StakePlan, number>;

/** The curves of a record by time range, those without tips left out. */
export type Curves = Partial<Record<TimeRange, Record<StakePlan, number[]>>>;

const microunitsInHundredth = 10_000;

function curveOf(days: readonly DayProfit[], plan: StakePlan): number[] {
  const total = days.reduce((sum, { tips }) => sum + tips, 0);
  const ends = new Map<number, number>();
  let [tips, profit] = [0, 0];
  for (const day of days) {
    tips += day.tips;
    profit += day[plan];
    if (tips > 0) ends.set(Math.ceil((tips * sketchParts) / total), Math.round(profit / microunitsInHundredth));
  }
  return [0, ...ends.values()];
}

/** Ours (0065): the profit of a record in hundredths of a unit after equal parts of its tips, from 0 on, over every time range that ends at `now`; by its days in their order. */
export function sketchCurves(days: readonly DayProfit[], now: Date): Curves {
  return Object.fromEntries(
    Object.values(TimeRange).flatMap((range) => {
      const { from } = windowOf(range, now);
      const within = from === null ? days : days.filter(({ day }) => day >= recordDay(from));
      if (within.every(({ tips }) => tips === 0)) return [];
      return [[range, { advised: curveOf(within, 'advised'), level: curveOf(within, 'level') }]];
    }),
  );
}

/** How many bets of a record stood in a bucket of a breakdown. */
export type BucketCount = { kind: Speciality['kind']; key: string; tips: number };

/** What a record is mostly on, by the key of its bucket. */
export type SpecialityKey = Omit<Speciality, 'label'> & { key: string };

const fewest = 10;

/** Ours (0065): what a record is mostly on: the league, sport or bet type that at least half its tips are in, the narrowest that there is; null of fewer than ten tips, and of a record that is on everything. */
export function specialityOf(buckets: readonly BucketCount[]): SpecialityKey | null {
  const of = buckets.reduce((sum, { kind, tips }) => (kind === 'sport' ? sum + tips : sum), 0);
  if (of < fewest) return null;
  const narrowFirst = ['league', 'sport', 'bet-type'] satisfies (typeof specialityKinds)[number][];
  for (const wanted of narrowFirst) {
    const found = buckets.find(({ kind, key, tips }) => kind === wanted && key !== severalKey && 2 * tips >= of);
    if (found) return { ...found, of };
  }
  return null;
}

/** A speciality with its name: of a sport and a bet type as the breakdowns say it, of a league as it is given. */
export function namedSpeciality({ kind, key, tips, of }: SpecialityKey, leagueName: string | null): Speciality | null {
  const label = {
    league: () => leagueName,
    sport: () => sports.find(({ id }) => String(id) === key)?.name ?? null,
    'bet-type': () => betTypeName(key),
  }[kind]();
  return label === null ? null : { kind, label, tips, of };
}
