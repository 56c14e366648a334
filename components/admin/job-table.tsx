import { formatDate } from '@/lib/format';
import { Badge } from '../ui/badge';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import styles from './job-table.module.scss';

/** How a job of the program last went; `looksEverySeconds` is how often it is asked whether there is work for it in between; moments are ISO strings; `note` is what it says of a run that went well. */
export type JobState = {
  name: string;
  everySeconds: number;
  looksEverySeconds: number | null;
  startedAt: string | null;
  finishedAt: string | null;
  failedAt: string | null;
  attempts: number;
  failure: string | null;
  note: string | null;
};

type JobTableProps = { jobs: readonly JobState[]; timeZone: string };

// A number and its unit stay on one line.
const interval = (seconds: number) =>
  seconds % 3600 === 0
    ? `${seconds / 3600}\u00a0h`
    : seconds % 60 === 0
      ? `${seconds / 60}\u00a0min`
      : `${seconds}\u00a0s`;

/** Every job with its last run; a failure stays until the job has run well again, and what it noted until the next run. */
export function JobTable({ jobs, timeZone }: JobTableProps) {
  const moment = (at: string | null) =>
    at ? <Time dateTime={at}>{formatDate(at, { timeZone, style: 'day-time' })}</Time> : 'Never';
  return (
    <Table caption="Jobs" captionHidden narrow="stack">
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col">State</th>
          <FigureHead>Every</FigureHead>
          <th scope="col">Last run</th>
          <th scope="col">Last failure or note</th>
        </tr>
      </thead>
      <tbody>
        {jobs.map(
          ({ name, everySeconds, looksEverySeconds, finishedAt, startedAt, failedAt, attempts, failure, note }) => (
            <tr key={name}>
              <th scope="row" className={styles.name}>
                {name}
              </th>
              <td data-label="State">
                {attempts > 0 ? (
                  <Badge tone="loss">Failing</Badge>
                ) : startedAt ? (
                  <Badge tone="profit">Well</Badge>
                ) : (
                  <Badge>Not run</Badge>
                )}
              </td>
              <FigureCell data-label="Every">
                {looksEverySeconds === null
                  ? interval(everySeconds)
                  : `${interval(everySeconds)}, ${interval(looksEverySeconds)} with work`}
              </FigureCell>
              <td data-label="Last run" className={styles.moment}>
                {moment(finishedAt)}
              </td>
              {attempts > 0 ? (
                <td className={styles.failure}>
                  {moment(failedAt)}: {failure}
                </td>
              ) : (
                <td className={note ? styles.failure : styles.none}>{note ?? 'None'}</td>
              )}
            </tr>
          ),
        )}
      </tbody>
    </Table>
  );
}
