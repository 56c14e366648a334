import { scaleLinear } from 'd3-scale';
import type { ReactNode } from 'react';
import { formatUnits } from '@/lib/format';
import styles from './profit-plot.module.scss';

/** Where things stand in a plot, in its own pixels: the left and right ends of its lines, and how far down a profit in hundredths of a unit. */
export type PlotPlaces = { left: number; right: number; y: (hundredths: number) => number };

type ProfitPlotProps = {
  label: string;
  height: number;
  /** What is kept free to the right of the lines. */
  marginRight: number;
  /** All profits to be drawn, in hundredths of a unit: the scale holds them and zero. */
  profits: readonly number[];
  since: string;
  until: string;
  children: (places: PlotPlaces) => ReactNode;
  legend?: ReactNode;
  table: ReactNode;
  tableTitle: string;
};

// The narrow drawing is for phones, where the wide one's words would be too small to read.
const widths = { wide: 720, narrow: 380 } as const;
const edge = { top: 12, bottom: 24, left: 52 };
const hundredthsAUnit = 100;

/** Rounds a coordinate, since more of it is only longer. */
export const round = (value: number) => Math.round(value * 10) / 10;

/** Profits in units on one scale, drawn on the server for wide and narrow screens, with the table that they are drawn from. */
export function ProfitPlot({ label, legend, table, tableTitle, ...drawing }: ProfitPlotProps) {
  return (
    <figure className={styles.figure}>
      {legend}
      <div role="img" aria-label={label}>
        {(['wide', 'narrow'] as const).map((size) => (
          <Drawing key={size} size={size} {...drawing} />
        ))}
      </div>
      <details className={styles.details}>
        <summary>{tableTitle}</summary>
        {table}
      </details>
    </figure>
  );
}

type DrawingProps = Pick<ProfitPlotProps, 'height' | 'marginRight' | 'profits' | 'since' | 'until' | 'children'> & {
  size: keyof typeof widths;
};

function Drawing({ size, height, marginRight, profits, since, until, children }: DrawingProps) {
  const [left, right] = [edge.left, widths[size] - marginRight];
  const scale = scaleLinear([Math.min(0, ...profits), Math.max(0, ...profits)], [height - edge.bottom, edge.top]).nice(
    5,
  );
  const y = (hundredths: number) => round(scale(hundredths));
  const ticks = scale.ticks(5);
  const isWhole = ticks.every((tick) => tick % hundredthsAUnit === 0);
  const tickText = (tick: number) => {
    const text = formatUnits(Math.round(tick), { sign: true });
    return isWhole ? text.replace(/\.00$/, '') : text;
  };
  return (
    <svg viewBox={`0 0 ${widths[size]} ${height}`} aria-hidden className={[styles.chart, styles[size]].join(' ')}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={right} y1={y(tick)} y2={y(tick)} className={tick === 0 ? styles.zero : styles.grid} />
          <text x={left - 8} y={y(tick)} dy="0.32em" textAnchor="end" className={styles.tick}>
            {tickText(tick)}
          </text>
        </g>
      ))}
      <text x={left} y={height - 6} className={styles.tick}>
        {since}
      </text>
      <text x={right} y={height - 6} textAnchor="end" className={styles.tick}>
        {until}
      </text>
      {children({ left, right, y })}
    </svg>
  );
}
