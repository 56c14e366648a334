import { formatPercent, formatUnits } from '@/lib/format';
import type { StatisticsView } from '@/lib/stats/schema';
import type { Effects } from './schema';

type Figures = Effects['records'][number]['figures'];

const units = (hundredths: string | number) => formatUnits(Number(hundredths), { sign: true });
const percent = (value: number | null | undefined) =>
  value === null || value === undefined ? null : formatPercent(value, { places: 2 });

const told = (view: StatisticsView): Record<string, string | number | null> => ({
  'Settled tips that count': view.tips,
  'Void tips': view.voids,
  'Profit (units)': units(view.advised.profitHundredths),
  Yield: percent(view.advised.yieldPercent?.value),
  'Profit at level stakes (units)': units(view.level.profitHundredths),
  'Yield at level stakes': percent(view.level.yieldPercent?.value),
  'Turnover (units)': formatUnits(Number(view.advised.turnoverHundredths)),
  'Strike rate': percent(view.strikeRatePercent?.value),
  'Average odds': view.averageOdds?.value ?? null,
  'Maximum drawdown (units)': formatUnits(Number(view.advised.maxDrawdownHundredths)),
  'Longest losing run': view.longestLosingRun,
  'Profitable months': `${view.advised.profitableMonths.profitable} of ${view.advised.profitableMonths.months}`,
  'Closing line value': percent(view.clvPercent?.value),
  'Profit of followers after 15 minutes (units)': units(view.followers.after15.advised.profitHundredths),
  'Yield of followers after 15 minutes': percent(view.followers.after15.advised.yieldPercent),
});

/** The figures of a record that differ between two states of it, in the words of staff. */
export function changedFigures(before: StatisticsView, after: StatisticsView): Figures {
  const [was, is] = [told(before), told(after)];
  return Object.keys(was).flatMap((name) => {
    const figure = { name, before: was[name] ?? null, after: is[name] ?? null };
    return figure.before === figure.after ? [] : [figure];
  });
}
