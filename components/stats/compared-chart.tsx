import { scalePoint } from 'd3-scale';
import { line } from 'd3-shape';
import { formatDate, formatUnits } from '@/lib/format';
import { Table } from '../ui/table';
import { Units } from '../ui/units';
import styles from './compared-chart.module.scss';
import { type PlotPlaces, ProfitPlot, round } from './profit-plot';

/** A line of the chart: the profit of a record in hundredths of a unit at the end of each day. */
export type ComparedLine = { name: string; course: readonly number[] };

type ComparedChartProps = { days: readonly string[]; lines: readonly ComparedLine[]; combined: ComparedLine };
type DrawnLine = ComparedLine & { mark: string; dashes: number | 'all' };

const tableRows = 20;
const letters = 'ABCD';

const dayText = (day: string) => formatDate(`${day}T12:00:00Z`, { timeZone: 'UTC', style: 'day' });
const monthText = (day: string) => formatDate(`${day}T12:00:00Z`, { timeZone: 'UTC', style: 'month' });

/** The profits of several records on one scale, each by its letter, and of all together, with the table that they are drawn from. */
export function ComparedChart({ days, lines, combined }: ComparedChartProps) {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last || days.length < 2) return null;
  const all: DrawnLine[] = [
    ...lines.map((own, index) => ({ ...own, mark: letters[index] ?? '', dashes: index })),
    { ...combined, mark: 'Σ', dashes: 'all' },
  ];
  const ends = all.map(({ name, course }) => `${name} ${formatUnits(course.at(-1) ?? 0, { sign: true })} units`);
  const step = Math.max(1, Math.ceil(days.length / tableRows));
  const shown = days
    .map((day, index) => ({ day, index }))
    .filter(({ index }) => (days.length - 1 - index) % step === 0);
  return (
    <ProfitPlot
      label={`Profit from ${dayText(first)} to ${dayText(last)}: ${ends.join(', ')}`}
      height={280}
      marginRight={22}
      profits={all.flatMap(({ course }) => course)}
      since={monthText(first)}
      until={monthText(last)}
      legend={<Legend all={all} />}
      tableTitle="The curves as a table"
      table={
        <Table caption="Profit in units at the end of each day" captionHidden stickyFirstColumn>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {all.map(({ name, mark }) => (
                <th key={mark} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ day, index }) => (
              <tr key={day}>
                <th scope="row">{dayText(day)}</th>
                {all.map(({ mark, course }) => (
                  <td key={mark}>
                    <Units hundredths={course[index] ?? 0} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      }
    >
      {(places) => <Lines days={days} all={all} places={places} />}
    </ProfitPlot>
  );
}

function Legend({ all }: { all: readonly DrawnLine[] }) {
  return (
    <ul className={styles.legend}>
      {all.map(({ name, mark, dashes }) => (
        <li key={mark} data-line={dashes} className={styles.drawn}>
          <svg viewBox="0 0 28 8" aria-hidden>
            <path d="M0 4h28" />
          </svg>
          <b>{mark}</b> {name}
        </li>
      ))}
    </ul>
  );
}

type LinesProps = { days: readonly string[]; all: readonly DrawnLine[]; places: PlotPlaces };

function Lines({ days, all, places: { left, right, y } }: LinesProps) {
  const x = scalePoint(days, [left, right]);
  const draw = line<number>((_, index) => round(x(days[index] ?? '') ?? 0), y);
  return all.map(({ course, mark, dashes }) => (
    <g key={mark} data-line={dashes} className={styles.drawn}>
      <path d={draw(course) ?? undefined} />
      <text x={right + 6} y={y(course.at(-1) ?? 0)} dy="0.32em" className={styles.mark}>
        {mark}
      </text>
    </g>
  ));
}
