import type { AutobetTotals } from '@/lib/bets/schema';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { Stat } from '../ui/stat';
import { Stats } from '../ui/stats';
import { Table } from '../ui/table';

const reasons = {
  started: 'Already started',
  'no price': 'No price in their country',
  'short price': 'Below their min. odds',
  paused: 'They took a break',
  refused: 'Could not be recorded',
} as const;

/** What a portfolio's owner learns of autobets: totals, of nobody in particular. */
export function AutobetTotalsView({ totals }: { totals: AutobetTotals }) {
  const missed = (span: 'week' | 'all') => totals[span].missed.reduce((sum, { count }) => sum + count, 0);
  const countOf = (span: 'week' | 'all', reason: string) =>
    totals[span].missed.find((one) => one.reason === reason)?.count ?? 0;
  return (
    <>
      <Stats>
        <Stat label="Rules switched on">{totals.rules}</Stat>
        <Stat label="Bets recorded" note={`${totals.week.recorded} in the last 7 days`}>
          {totals.all.recorded}
        </Stat>
        <Stat label="Missed" note={`${missed('week')} in the last 7 days`}>
          {missed('all')}
        </Stat>
      </Stats>
      {totals.all.missed.length > 0 && (
        <Table caption="Why bets were missed">
          <thead>
            <tr>
              <th scope="col">Reason</th>
              <FigureHead>Last 7 days</FigureHead>
              <FigureHead>All time</FigureHead>
            </tr>
          </thead>
          <tbody>
            {totals.all.missed.map(({ reason, count }) => (
              <tr key={reason}>
                <th scope="row">{reasons[reason]}</th>
                <FigureCell>{countOf('week', reason)}</FigureCell>
                <FigureCell>{count}</FigureCell>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}
