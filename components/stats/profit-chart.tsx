import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { formatDate, formatUnits } from '@/lib/format';
import type { CurvePoint } from '@/lib/stats/schema/views';
import { Table } from '../ui/table';
import { Units } from '../portfolios/units';
import styles from './profit-chart.module.scss';

type ProfitChartProps = { points: readonly CurvePoint[]; timeZone: string };

// The narrow drawing is for phones, where the wide one's words would be too small to read.
const sizes = { wide: { width: 720, height: 240 }, narrow: { width: 380, height: 240 } } as const;
const edge = { top: 12, right: 8, bottom: 24, left: 52 };
const tableRows = 40;

const round = (value: number) => Math.round(value * 10) / 10;

/** The cumulative profit after each tip, drawn on the server, with the table that it is drawn from. */
export function ProfitChart({ points, timeZone }: ProfitChartProps) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  const label = `Profit over ${last.tips} tips, from ${formatDate(first.at, { timeZone, style: 'day' })} to ${formatDate(last.at, { timeZone, style: 'day' })}: ${formatUnits(last.profitHundredths, { sign: true })} units`;
  const step = Math.max(1, Math.ceil(points.length / tableRows));
  const shown = points.filter((_, index) => index % step === 0 || index === points.length - 1);
  return (
    <figure className={styles.figure}>
      <div role="img" aria-label={label}>
        <Curve points={points} last={last} since={formatDate(first.at, { timeZone, style: 'month' })} until={formatDate(last.at, { timeZone, style: 'month' })} size="wide" />
        <Curve points={points} last={last} since={formatDate(first.at, { timeZone, style: 'month' })} until={formatDate(last.at, { timeZone, style: 'month' })} size="narrow" />
      </div>
      <details className={styles.details}>
        <summary>The curve as a table</summary>
        <Table caption="Cumulative profit in units" captionHidden>
          <thead>
            <tr>
              <th scope="col">Tips</th>
              <th scope="col">Settled</th>
              <th scope="col">Profit, units</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((point) => (
              <tr key={point.tips}>
                <th scope="row">{point.tips}</th>
                <td>{formatDate(point.at, { timeZone, style: 'day' })}</td>
                <td>
                  <Units hundredths={point.profitHundredths} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </details>
    </figure>
  );
}

type CurveProps = { points: readonly CurvePoint[]; last: CurvePoint; since: string; until: string; size: keyof typeof sizes };

function Curve({ points, last, since, until, size }: CurveProps) {
  const { width, height } = sizes[size];
  const profits = points.map(({ profitHundredths }) => profitHundredths);
  const x = scaleLinear([0, last.tips], [edge.left, width - edge.right]);
  const y = scaleLinear([Math.min(0, ...profits), Math.max(0, ...profits)], [height - edge.bottom, edge.top]).nice(5);
  const draw = line<CurvePoint>((point) => round(x(point.tips)), (point) => round(y(point.profitHundredths)));
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden className={[styles.chart, styles[size]].join(' ')}>
      {y.ticks(5).map((tick) => (
        <g key={tick}>
          <line x1={edge.left} x2={width - edge.right} y1={round(y(tick))} y2={round(y(tick))} className={tick === 0 ? styles.zero : styles.grid} />
          <text x={edge.left - 8} y={round(y(tick))} dy="0.32em" textAnchor="end" className={styles.tick}>
            {formatUnits(tick, { sign: true })}
          </text>
        </g>
      ))}
      <text x={edge.left} y={height - 6} className={styles.tick}>
        {since}
      </text>
      <text x={width - edge.right} y={height - 6} textAnchor="end" className={styles.tick}>
        {until}, {last.tips} tips
      </text>
      <path d={draw(points) ?? undefined} className={styles.line} />
      <circle cx={round(x(last.tips))} cy={round(y(last.profitHundredths))} r={4} className={styles.end} />
    </svg>
  );
}
