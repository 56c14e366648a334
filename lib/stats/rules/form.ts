import type { SettledTip } from '../schema/rollups';
import type { RecentForm } from '../schema/views';
import { summaryOf } from './figures';
import { mergeTotals, noTotals, tipResult, type TipResult, totalsOf } from './totals';

/** Ours: how many of the last tips the recent form looks at. */
export const recentFormTips = 20;

const letters: Readonly<Record<TipResult, string>> = { won: 'W', lost: 'L', level: 'V', void: 'V' };

/** Spec §7, recent-form: the last `count` of tips in the order of settlement; the window is from the first of them to the last, null without tips. */
export function recentForm(tips: readonly SettledTip[], count = recentFormTips): RecentForm {
  const last = count > 0 ? tips.slice(-count) : [];
  const totals = last.map(totalsOf).reduce(mergeTotals, noTotals);
  const [first, latest] = [last[0], last.at(-1)];
  const window = first && latest ? { from: first.settledAt, until: latest.settledAt } : null;
  return {
    letters: last.map((tip) => letters[tipResult(tip)]).join(''),
    summary: summaryOf(totals, window),
    window,
  };
}
