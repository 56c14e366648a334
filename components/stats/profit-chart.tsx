import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { formatDate, formatUnits } from '@/lib/format';
import type { CurvePoint } from '@/lib/stats/schema';
import { Table } from '../ui/table';
import { Units } from '../portfolios/units';
import { Moment } from '../viewing/moment';
import styles from './profit-chart.module.scss';
import { capital, type RecordWords, tipWords } from './record-words';

type ProfitChartProps = { points: readonly CurvePoint[]; timeZone: string; words?: RecordWords };

// The narrow drawing is for phones, where the wide one's words would be too small to read.
const sizes = { wide: { width: 720, height: 240 }, narrow: { width: 380, height: 240 } } as const;
const edge = { top: 12, right: 8, bottom: 24, left: 52 };
const tableRows = 20;
const hundredthsAUnit = 100;

const round = (value: number) => Math.round(value * 10) / 10;

/** The cumulative profit after each tip, drawn on the server, with the table that it is drawn from. */
export function ProfitChart({ points, timeZone, words = tipWords }: ProfitChartProps) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  const label = `Profit over ${last.tips} ${words.many}, from ${formatDate(first.at, { timeZone, style: 'day' })} to ${formatDate(last.at, { timeZone, style: 'day' })}: ${formatUnits(last.profitHundredths, { sign: true })} ${words.unit}`;
  const step = Math.max(1, Math.ceil(points.length / tableRows));
  const shown = points.filter((_, index) => index % step === 0 || index === points.length - 1);
  return (
    <figure className={styles.figure}>
      <div role="img" aria-label={label}>
        <Curve
          words={words}
          points={points}
          last={last}
          since={formatDate(first.at, { timeZone, style: 'month' })}
          until={formatDate(last.at, { timeZone, style: 'month' })}
          size="wide"
        />
        <Curve
          words={words}
          points={points}
          last={last}
          since={formatDate(first.at, { timeZone, style: 'month' })}
          until={formatDate(last.at, { timeZone, style: 'month' })}
          size="narrow"
        />
      </div>
      <details className={styles.details}>
        <summary>The curve as a table</summary>
        <Table caption={`Cumulative profit in ${words.unit}`} captionHidden>
          <thead>
            <tr>
              <th scope="col">{capital(words.many)}</th>
              <th scope="col">Settled</th>
              <th scope="col">Profit, {words.unit}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((point) => (
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
      </details>
    </figure>
  );
}

type CurveProps = {
  words: RecordWords;
  points: readonly CurvePoint[];
  last: CurvePoint;
  since: string;
  until: string;
  size: keyof typeof sizes;
};

function Curve({ words, points, last, since, until, size }: CurveProps) {
  const { width, height } = sizes[size];
  const profits = points.map(({ profitHundredths }) => Number(profitHundredths));
  const x = scaleLinear([0, last.tips], [edge.left, width - edge.right]);
  const y = scaleLinear([Math.min(0, ...profits), Math.max(0, ...profits)], [height - edge.bottom, edge.top]).nice(5);
  const ticks = y.ticks(5);
  const isWhole = ticks.every((tick) => tick % hundredthsAUnit === 0);
  const draw = line<CurvePoint>(
    (point) => round(x(point.tips)),
    (point) => round(y(Number(point.profitHundredths))),
  );
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden className={[styles.chart, styles[size]].join(' ')}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={edge.left}
            x2={width - edge.right}
            y1={round(y(tick))}
            y2={round(y(tick))}
            className={tick === 0 ? styles.zero : styles.grid}
          />
          <text x={edge.left - 8} y={round(y(tick))} dy="0.32em" textAnchor="end" className={styles.tick}>
            {isWhole ? formatUnits(tick, { sign: true }).replace(/\.00$/, '') : formatUnits(tick, { sign: true })}
          </text>
        </g>
      ))}
      <text x={edge.left} y={height - 6} className={styles.tick}>
        {since}
      </text>
      <text x={width - edge.right} y={height - 6} textAnchor="end" className={styles.tick}>
        {until}, {last.tips} {words.many}
      </text>
      <path d={draw(points) ?? undefined} className={styles.line} />
      <circle cx={round(x(last.tips))} cy={round(y(Number(last.profitHundredths)))} r={4} className={styles.end} />
    </svg>
  );
}
