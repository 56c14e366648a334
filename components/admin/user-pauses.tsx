import { formatDate } from '@/lib/format';
import type { TakenPause } from '@/lib/pauses/schema';
import { SectionHeading } from '../ui/section-heading';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import styles from './user-pauses.module.scss';

type UserPausesProps = { pauses: readonly TakenPause[]; name: string; now: string; timeZone: string };

/** Product §9: the breaks from betting that a member took, with who began them; there is nothing by which one could be ended. */
export function UserPauses({ pauses, name, now, timeZone }: UserPausesProps) {
  if (pauses.length === 0) return null;
  const moment = (at: string) => <Time dateTime={at}>{formatDate(at, { timeZone, style: 'day-time' })}</Time>;
  return (
    <section>
      <SectionHeading>Breaks from betting</SectionHeading>
      <p className={styles.note}>The latest end counts. Nobody can end one sooner, staff included.</p>
      <Table caption="Breaks from betting" captionHidden>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Until</th>
            <th scope="col">Set by</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {pauses.map(({ from, until }) => (
            <tr key={`${from} ${until}`}>
              <th scope="row">{moment(from)}</th>
              <td>{moment(until)}</td>
              <td>{name}, the member</td>
              <td>{until > now ? 'Runs' : 'Over'}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
