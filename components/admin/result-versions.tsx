import { formatDate } from '@/lib/format';
import { SectionHeading } from '../ui/section-heading';
import { Table } from '../ui/table';
import { Time } from '../ui/time';

type Version = {
  version: number;
  result: string;
  source: string;
  recordedAt: string;
  actor: string | null;
  reason: string | null;
};

type ResultVersionsProps = {
  versions: readonly Version[];
  runners: readonly { name: string; number: number | null; withdrawnAt: string | null }[];
  timeZone: string;
};

/** Every version of a fixture's result, with who gave it, why and when, and its runners where it is a race. */
export function ResultVersions({ versions, runners, timeZone }: ResultVersionsProps) {
  const moment = (at: string) => <Time dateTime={at}>{formatDate(at, { timeZone, style: 'day-time' })}</Time>;
  return (
    <>
      <section>
        <SectionHeading>Versions of the result</SectionHeading>
        {versions.length === 0 ? (
          <p>No result yet.</p>
        ) : (
          <Table caption="Versions of the result" captionHidden>
            <thead>
              <tr>
                <th scope="col">Version</th>
                <th scope="col">Result</th>
                <th scope="col">From</th>
                <th scope="col">When</th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {versions.map(({ version, result, source, recordedAt, actor, reason }) => (
                <tr key={version}>
                  <th scope="row">{version}</th>
                  <td>{result}</td>
                  <td>{actor ?? source}</td>
                  <td>{moment(recordedAt)}</td>
                  <td>{reason ?? '–'}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </section>
      {runners.length > 0 && (
        <section>
          <SectionHeading>Runners</SectionHeading>
          <Table caption="Runners" captionHidden>
            <thead>
              <tr>
                <th scope="col">Runner</th>
                <th scope="col">Number</th>
                <th scope="col">Withdrawn</th>
              </tr>
            </thead>
            <tbody>
              {runners.map(({ name, number, withdrawnAt }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{number ?? '–'}</td>
                  <td>{withdrawnAt === null ? 'No' : moment(withdrawnAt)}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </section>
      )}
    </>
  );
}
