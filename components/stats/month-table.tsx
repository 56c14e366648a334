import { formatPercent } from '@/lib/format';
import type { MonthOverview } from '@/lib/stats/schema';
import { Units } from '../ui/units';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { Table } from '../ui/table';
import { type RecordWords, tipWords } from './record-words';

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Profit in units by year and month; a month without tips is a dash. */
export function MonthTable({ overview, words = tipWords }: { overview: MonthOverview; words?: RecordWords }) {
  return (
    <Table caption={`Profit by month, in ${words.unit}`} stickyFirstColumn dense>
      <thead>
        <tr>
          <th scope="col">Year</th>
          {months.map((month) => (
            <FigureHead key={month}>{month}</FigureHead>
          ))}
          <FigureHead>Year</FigureHead>
          <FigureHead term="yield">Yield</FigureHead>
        </tr>
      </thead>
      <tbody>
        {overview.years.map(({ year, months: own, total }) => (
          <tr key={year}>
            <th scope="row">{year}</th>
            {own.map((month, index) => (
              <FigureCell key={months[index]}>
                {month ? <Units hundredths={month.advised.profitHundredths} /> : '–'}
              </FigureCell>
            ))}
            <FigureCell>
              <Units hundredths={total.advised.profitHundredths} />
            </FigureCell>
            <FigureCell>
              {total.advised.yieldPercent
                ? `${formatPercent(total.advised.yieldPercent.value, { sign: true })} of ${total.tips}`
                : '–'}
            </FigureCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
