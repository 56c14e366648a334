import 'server-only';
import { TimeRange } from '@/lib/reference/schema';
import { windowOf } from '../rules/calendar';
import { mergeDays, recordDay } from '../rules/days';
import { statisticsOf } from '../rules/figures';
import { foldTips } from '../rules/rollup';
import { everySport } from '../schema/comparison';
import type { StatisticsView } from '../schema/views';
import { readStandingDays } from './days';
import { type OwnedSettledTip, readSettledTips, settledOn } from './settled-tips';

/** The statistics of a portfolio over all time as they stand, and as they would be; without the chance that the record is luck. */
export type PreviewedRecord = { portfolioId: number; before: StatisticsView; after: StatisticsView };

/**
 * Product §7: what the statistics of portfolios would say if these tips were settled so, each in the place of its first settlement: the days
 * on which they were settled are folded as settlement folds them. Nothing is held or written.
 */
export async function previewRecords(tips: readonly OwnedSettledTip[], now: Date): Promise<PreviewedRecord[]> {
  const portfolioIds = [...new Set(tips.map(({ portfolioId }) => portfolioId))];
  if (portfolioIds.length === 0) return [];
  const changed = new Map(tips.map((tip) => [tip.tipId, tip]));
  const touched = tips.map(({ portfolioId, settledAt }) => ({ portfolioId, day: recordDay(settledAt) }));
  const settled = await readSettledTips(settledOn(touched));
  const known = new Set(settled.map(({ tipId }) => tipId));
  const would = [
    ...settled.map((tip) => changed.get(tip.tipId) ?? tip),
    // What is settled for the first time comes behind all that is.
    ...tips
      .filter(({ tipId }) => !known.has(tipId))
      .map((tip, index) => ({ ...tip, settledSequence: 2 ** 31 + index })),
  ];
  const stored = (await readStandingDays(portfolioIds)).filter(({ sportId }) => sportId === everySport);
  const daysOf = new Map(stored.map(({ portfolioId, days }) => [portfolioId, days]));
  const range = windowOf(TimeRange.allTime, now);
  return portfolioIds.map((portfolioId) => {
    const before = daysOf.get(portfolioId) ?? [];
    const own = would.filter((tip) => tip.portfolioId === portfolioId);
    const days = new Set(own.map(({ settledAt }) => recordDay(settledAt)));
    const after = [
      ...before.filter(({ day }) => !days.has(day)),
      ...[...days].map((day) => ({ day, rollup: foldTips(own.filter((tip) => recordDay(tip.settledAt) === day)) })),
    ].toSorted((a, b) => (a.day < b.day ? -1 : 1));
    const says = (all: typeof before) => statisticsOf(mergeDays(all, range), range, { luck: false });
    return { portfolioId, before: says(before), after: says(after) };
  });
}
