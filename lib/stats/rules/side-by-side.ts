import { portfolioReferenceSchema } from '@/lib/portfolios/schema';
import { exactOf } from './exact';
import type { StatisticsView } from '../schema/views';
import type { SideBySide } from '../schema/side-by-side';

/** The references of the portfolios that an address asks for side by side, in its order, each once; those that cannot be one are left out. */
export function readCompared(given: string | readonly string[] | undefined): string[] {
  const all = [given ?? []].flat().flatMap((text) => text.split(','));
  return [...new Set(all)].filter((text) => portfolioReferenceSchema.safeParse(text).success);
}

/** What a portfolio won on a day, in microunits. */
export type DayOf = { place: number; day: string; profit: number };

const mostDays = 60;
const microunitsInHundredth = 10_000;
const hundredths = (microunits: number) => Math.round(microunits / microunitsInHundredth);

/**
 * Ours (0065): the profits of portfolios at the ends of days, at most sixty of them, by what each won on which day, in the order of
 * days. The deepest fall is that of all together, over every day, from 0 before the first.
 */
export function courses(
  days: readonly DayOf[],
  count: number,
): { days: string[]; each: number[][]; all: number[]; maxDrawdownHundredths: number } {
  const ends: { day: string; profits: number[] }[] = [];
  const profits = Array.from({ length: count }, () => 0);
  let [sum, peak, deepest] = [0, 0, 0];
  const close = () => {
    peak = Math.max(peak, sum);
    deepest = Math.max(deepest, peak - sum);
  };
  for (const { place, day, profit } of days) {
    profits[place] = (profits[place] ?? 0) + profit;
    const last = ends.at(-1);
    if (last?.day === day) last.profits = [...profits];
    else {
      close();
      ends.push({ day, profits: [...profits] });
    }
    sum += profit;
  }
  close();
  const stride = Math.max(1, Math.ceil(ends.length / mostDays));
  const shown = ends.filter((_, index) => (ends.length - 1 - index) % stride === 0);
  return {
    days: shown.map(({ day }) => day),
    each: profits.map((_, place) => shown.map((end) => hundredths(end.profits[place] ?? 0))),
    all: shown.map((end) => hundredths(end.profits.reduce((total, profit) => total + profit, 0))),
    maxDrawdownHundredths: hundredths(deepest),
  };
}

/** The sums of several records at advised stakes. */
export function combinedFigures(
  records: readonly Pick<StatisticsView, 'tips' | 'advised'>[],
): Pick<SideBySide['combined'], 'tips' | 'profitHundredths' | 'turnoverHundredths' | 'yieldPercent'> {
  const total = (of: 'profitHundredths' | 'turnoverHundredths') =>
    records.reduce((sum, { advised }) => sum + BigInt(advised[of]), 0n);
  const [profit, turnover] = [total('profitHundredths'), total('turnoverHundredths')];
  return {
    tips: records.reduce((sum, { tips }) => sum + tips, 0),
    profitHundredths: exactOf(profit),
    turnoverHundredths: exactOf(turnover),
    yieldPercent: turnover === 0n ? null : (100 * Number(profit)) / Number(turnover),
  };
}
