import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { formatDate, formatUnits } from '@/lib/format';
import { tabledPoints } from '@/lib/stats/rules';
import type { CurvePoint } from '@/lib/stats/schema';
import { Table } from '../ui/table';
import { Units } from '../ui/units';
import { Moment } from '../formats/moment';
import styles from './profit-chart.module.scss';
import { type PlotPlaces, ProfitPlot, round } from './profit-plot';
import { capital, type RecordWords, tipWords } from './record-words';

type ProfitChartProps = { points: readonly CurvePoint[]; timeZone: string; words?: RecordWords };

/** The cumulative profit after each tip, drawn on the server, with the table that it is drawn from. */
export function ProfitChart({ points, timeZone, words = tipWords }: ProfitChartProps) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  const dateOf = ({ at }: CurvePoint, style: 'day' | 'month') => formatDate(at, { timeZone, style });
  return (
    <ProfitPlot
      label={`Profit over ${last.tips} ${words.many}, from ${dateOf(first, 'day')} to ${dateOf(last, 'day')}: ${formatUnits(last.profitHundredths, { sign: true })} ${words.unit}`}
      height={240}
      marginRight={8}
      profits={points.map(({ profitHundredths }) => Number(profitHundredths))}
      since={dateOf(first, 'month')}
      until={`${dateOf(last, 'month')}, ${last.tips} ${words.many}`}
      tableTitle="The curve as a table"
      table={
        <Table caption={`Cumulative profit in ${words.unit}`} captionHidden>
          <thead>
            <tr>
              <th scope="col">{capital(words.many)}</th>
              <th scope="col">Settled</th>
              <th scope="col">Profit, {words.unit}</th>
            </tr>
          </thead>
          <tbody>
            {tabledPoints(points).map((point) => (
              <tr key={point.tips}>
                <th scope="row">{point.tips}</th>
                <td>
                  <Moment at={point.at} style="day" timeZone={timeZone} />
                </td>
                <td>
                  <Units hundredths={point.profitHundredths} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      }
    >
      {(places) => <Curve points={points} last={last} places={places} />}
    </ProfitPlot>
  );
}

type CurveProps = { points: readonly CurvePoint[]; last: CurvePoint; places: PlotPlaces };

function Curve({ points, last, places: { left, right, y } }: CurveProps) {
  const x = scaleLinear([0, last.tips], [left, right]);
  const draw = line<CurvePoint>(
    (point) => round(x(point.tips)),
    (point) => y(Number(point.profitHundredths)),
  );
  return (
    <>
      <path d={draw(points) ?? undefined} className={styles.line} />
      <circle cx={round(x(last.tips))} cy={y(Number(last.profitHundredths))} r={4} className={styles.end} />
    </>
  );
}
