import type { StatisticsView } from '@/lib/stats/schema';
import type { Effects } from './schema';

type Figures = Effects['records'][number]['figures'];

const units = (hundredths: string | number) => Number(hundredths) / 100;
const percent = (figure: { value: number } | null) => (figure === null ? null : `${figure.value.toFixed(2)}%`);

const told = (view: StatisticsView): Record<string, string | number | null> => ({
  'Settled tips that count': view.tips,
  'Void tips': view.voids,
  'Profit (units)': units(view.advised.profitHundredths),
  Yield: percent(view.advised.yieldPercent),
  'Profit at level stakes (units)': units(view.level.profitHundredths),
  'Yield at level stakes': percent(view.level.yieldPercent),
  'Turnover (units)': units(view.advised.turnoverHundredths),
  'Strike rate': percent(view.strikeRatePercent),
  'Average odds': view.averageOdds?.value ?? null,
  'Maximum drawdown (units)': units(view.advised.maxDrawdownHundredths),
  'Longest losing run': view.longestLosingRun,
  'Profitable months': `${view.advised.profitableMonths.profitable} of ${view.advised.profitableMonths.months}`,
  'Closing line value': percent(view.clvPercent),
  'Profit of followers after 15 minutes (units)': units(view.followers.after15.advised.profitHundredths),
  'Yield of followers after 15 minutes':
    view.followers.after15.advised.yieldPercent === null
      ? null
      : `${view.followers.after15.advised.yieldPercent.toFixed(2)}%`,
});

/** The figures of a record that differ between two states of it, in the words of staff. */
export function changedFigures(before: StatisticsView, after: StatisticsView): Figures {
  const [was, is] = [told(before), told(after)];
  return Object.keys(was).flatMap((name) => {
    const figure = { name, before: was[name] ?? null, after: is[name] ?? null };
    return figure.before === figure.after ? [] : [figure];
  });
}
