import { scaleLinear, scaleTime } from 'd3-scale';
import { curveLinear, curveStepAfter, line } from 'd3-shape';
import { formatCount, formatDate, formatOdds } from '@/lib/format';
import type { BestPoint, ChartPoint, SelectionChart } from '@/lib/fixtures/rules';
import type { OddsDisplay } from '@/lib/reference/schema';
import { momentMark, oddsMark } from '../formats/marks';
import styles from './price-chart.module.scss';

type PriceChartProps = {
  chart: SelectionChart;
  display: OddsDisplay;
  timeZone: string;
  taken?: ChartPoint | undefined;
};

const width = 360;
const height = 150;
const edge = { top: 14, right: 6, bottom: 22, left: 44 };

const widened = (low: number, high: number): [number, number] =>
  low === high ? [low * 0.97, high * 1.03] : [low - (high - low) * 0.08, high + (high - low) * 0.08];

/** The prices of one selection over time, drawn on the server: a thin line for each bookmaker, a thick one for the best price, and a ring where a tip took one. */
export function PriceChart({ chart, display, timeZone, taken }: PriceChartProps) {
  const points = [...chart.lines.flatMap((own) => own.points), ...(taken ? [taken] : [])];
  const times = [...points, ...chart.best].map(({ time }) => time);
  const odds = points.map(({ oddsThousandths }) => oddsThousandths);
  if (points.length === 0) return null;
  const [from, until] = [Math.min(...times), Math.max(...times)];
  const x = scaleTime([from, from === until ? until + 3_600_000 : until], [edge.left, width - edge.right]);
  const y = scaleLinear(widened(Math.min(...odds), Math.max(...odds)), [height - edge.bottom, edge.top]);
  const draw = line<BestPoint>(
    (point) => round(x(point.time)),
    (point) => round(y(point.oddsThousandths ?? 0)),
  )
    .defined(({ oddsThousandths }) => oddsThousandths !== null)
    .curve(chart.timesKnown ? curveStepAfter : curveLinear);
  const day = (time: number) => formatDate(new Date(time).toISOString(), { timeZone, style: 'short-day' });
  const mark = (time: number) => (chart.timesKnown ? momentMark(new Date(time).toISOString(), 'short-day') : {});
  const last = chart.best.at(-1);
  const first = chart.best[0];
  // Up to the moment from which there was none.
  const best = chart.best.flatMap((point, index) =>
    point.oddsThousandths === null
      ? [{ ...point, oddsThousandths: chart.best[index - 1]?.oddsThousandths ?? null }, point]
      : [point],
  );
  const text = (thousandths: number | null | undefined) =>
    thousandths ? formatOdds({ oddsThousandths: Math.round(thousandths / 10) * 10, fraction: null }, display) : 'none';
  const label = `${chart.name}: best price ${text(first?.oddsThousandths)} at first, ${text(last?.oddsThousandths)} at last, from ${formatCount(chart.lines.length, 'bookmaker', 'bookmakers')}${taken ? `; taken at ${text(taken.oddsThousandths)}` : ''}`;
  return (
    <figure className={styles.figure}>
      <figcaption>{chart.name}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} className={styles.chart}>
        {y.ticks(4).map((tick) => (
          <g key={tick}>
            <line
              x1={edge.left}
              x2={width - edge.right}
              y1={round(y(tick))}
              y2={round(y(tick))}
              className={styles.grid}
            />
            <text
              x={edge.left - 6}
              y={round(y(tick))}
              dy="0.32em"
              textAnchor="end"
              className={styles.tick}
              {...oddsMark(Math.round(tick / 10) * 10)}
            >
              {text(tick)}
            </text>
          </g>
        ))}
        <text x={edge.left} y={height - 6} className={styles.tick} {...mark(from)}>
          {chart.timesKnown ? day(from) : 'Before'}
        </text>
        {until > from && (
          <text x={width - edge.right} y={height - 6} textAnchor="end" className={styles.tick} {...mark(until)}>
            {chart.timesKnown ? day(until) : 'Closing'}
          </text>
        )}
        {chart.lines.map((own) => (
          <path key={own.bookmakerName} d={draw(own.points) ?? undefined} className={styles.line} />
        ))}
        <path d={draw(best) ?? undefined} className={styles.best} />
        {last?.oddsThousandths && (
          <circle cx={round(x(last.time))} cy={round(y(last.oddsThousandths))} r={3} className={styles.end} />
        )}
        {taken && (
          <circle cx={round(x(taken.time))} cy={round(y(taken.oddsThousandths))} r={6} className={styles.taken} />
        )}
      </svg>
    </figure>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
