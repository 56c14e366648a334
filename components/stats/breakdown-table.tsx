import { formatPercent, formatUnits } from '@/lib/format';
import type { BreakdownView } from '@/lib/stats/schema';
import { Units } from '../ui/units';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { Table } from '../ui/table';
import styles from './breakdown-table.module.scss';

type BreakdownTableProps = { title: string; head?: string; breakdown: BreakdownView };

/** One breakdown of a record: a row a bucket that has tips, each percentage beside its count. */
export function BreakdownTable({ title, head = title, breakdown }: BreakdownTableProps) {
  const rows = breakdown.rows.filter(({ tips, voids }) => tips + voids > 0);
  return (
    <Table caption={title} stickyFirstColumn>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <FigureHead>Tips</FigureHead>
          <FigureHead>Won</FigureHead>
          <FigureHead>Staked, units</FigureHead>
          <FigureHead>Profit, units</FigureHead>
          <FigureHead term="yield">Yield</FigureHead>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row" className={styles.bucket}>
              {row.label}
            </th>
            <FigureCell>{row.tips}</FigureCell>
            <FigureCell>{row.won}</FigureCell>
            <FigureCell>{formatUnits(Number(row.advised.turnoverHundredths))}</FigureCell>
            <FigureCell>
              <Units hundredths={row.advised.profitHundredths} />
            </FigureCell>
            <FigureCell>
              {row.advised.yieldPercent ? formatPercent(row.advised.yieldPercent.value, { sign: true }) : '–'}
            </FigureCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
