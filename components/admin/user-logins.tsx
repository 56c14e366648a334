import { formatDate } from '@/lib/format';
import { routes } from '@/lib/routes';
import { SectionHeading } from '../ui/section-heading';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Time } from '../ui/time';

type Login = { id: string; device: string; address: string; createdAt: string; usedAt: string };

type UserLoginsProps = {
  sessions: readonly Login[];
  portfolios: readonly { reference: string; name: string }[];
  timeZone: string;
};

/** The logins of a member that hold, and their portfolios. */
export function UserLogins({ sessions, portfolios, timeZone }: UserLoginsProps) {
  const moment = (at: string) => <Time dateTime={at}>{formatDate(at, { timeZone, style: 'day-time' })}</Time>;
  return (
    <>
      <section>
        <SectionHeading>Active logins</SectionHeading>
        {sessions.length === 0 ? (
          <p>None.</p>
        ) : (
          <Table caption="Active logins" captionHidden>
            <thead>
              <tr>
                <th scope="col">Device</th>
                <th scope="col">Address</th>
                <th scope="col">Since</th>
                <th scope="col">Last use</th>
              </tr>
            </thead>
            <tbody>
              {sessions.map(({ id, device, address, createdAt, usedAt }) => (
                <tr key={id}>
                  <th scope="row">{device || 'Unknown'}</th>
                  <td>{address}</td>
                  <td>{moment(createdAt)}</td>
                  <td>{moment(usedAt)}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </section>
      {portfolios.length > 0 && (
        <section>
          <SectionHeading>Portfolios</SectionHeading>
          <ul>
            {portfolios.map(({ reference, name }) => (
              <li key={reference}>
                <SiteLink href={routes.staff('portfolios', { id: reference })}>{name}</SiteLink>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
