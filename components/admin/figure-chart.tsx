import { scaleLinear } from 'd3-scale';
import { Table } from '../ui/table';
import styles from './figure-chart.module.scss';

type FigureChartProps = {
  title: string;
  days: readonly { day: string; value: number }[];
  /** How a value is written. */
  written?: (value: number) => string;
};

const height = 80;
const bar = 10;

/** A figure of the site day by day as bars, with its sum and its table; days are UTC. */
export function FigureChart({ title, days, written = String }: FigureChartProps) {
  const most = Math.max(1, ...days.map(({ value }) => value));
  const tall = scaleLinear().domain([0, most]).range([0, height]);
  const sum = days.reduce((all, { value }) => all + value, 0);
  return (
    <section className={styles.figure}>
      <h3>{title}</h3>
      <p className={styles.sum}>
        <strong>{written(sum)}</strong> in {days.length} days
      </p>
      <svg
        viewBox={`0 0 ${days.length * bar} ${height}`}
        className={styles.bars}
        aria-hidden="true"
        preserveAspectRatio="none"
      >
        {days.map(({ day, value }, place) => (
          <rect key={day} x={place * bar + 1} width={bar - 2} y={height - tall(value)} height={tall(value)} />
        ))}
      </svg>
      <details>
        <summary>As a table</summary>
        <Table caption={title} captionHidden dense>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">{title}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, value }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td>{written(value)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </details>
    </section>
  );
}
