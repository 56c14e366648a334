import { formatDate } from '@/lib/format';
import { Badge } from '../ui/badge';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { Table } from '../ui/table';

/** How a job of the program last went; moments are ISO strings. */
export type JobState = { name: string; everySeconds: number; startedAt: string | null; finishedAt: string | null; failedAt: string | null; attempts: number; failure: string | null };

type JobTableProps = { jobs: readonly JobState[]; timeZone: string };

/** Every job with its last run; a failure stays until the job has run well again. */
export function JobTable({ jobs, timeZone }: JobTableProps) {
  const moment = (at: string | null) => (at ? formatDate(at, { timeZone, style: 'day-time' }) : 'Never');
  return (
    <Table caption="Jobs" captionHidden stickyFirstColumn>
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col">State</th>
          <FigureHead>Every</FigureHead>
          <th scope="col">Last run</th>
          <th scope="col">Last failure</th>
        </tr>
      </thead>
      <tbody>
        {jobs.map(({ name, everySeconds, finishedAt, startedAt, failedAt, attempts, failure }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{attempts > 0 ? <Badge tone="loss">Failing</Badge> : startedAt ? <Badge tone="profit">Well</Badge> : <Badge>Not run</Badge>}</td>
            <FigureCell>{everySeconds} s</FigureCell>
            <td>{moment(finishedAt)}</td>
            <td>{attempts > 0 ? `${moment(failedAt)}: ${failure ?? ''}` : 'None'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
