import { formatDate } from '@/lib/format';
import type { Welcome } from '@/lib/portfolios/schema';
import { routes } from '@/lib/routes';
import { WelcomeText } from '../portfolios/welcome-text';
import { Badge } from '../ui/badge';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Time } from '../ui/time';

type MembershipTableProps = {
  memberships: readonly { portfolioReference: string; name: string; demo: boolean; endsAt: string }[];
  welcomes?: readonly Welcome[];
  timeZone: string;
};

/** The memberships that run, each with its end and the tipster’s welcome. */
export function MembershipTable({ memberships, welcomes = [], timeZone }: MembershipTableProps) {
  return (
    <Table caption="Your memberships" captionHidden>
      <thead>
        <tr>
          <th scope="col">Portfolio</th>
          <th scope="col">Runs until</th>
        </tr>
      </thead>
      <tbody>
        {memberships.map(({ portfolioReference, name, demo, endsAt }) => (
          <tr key={portfolioReference}>
            <th scope="row">
              <SiteLink href={routes.portfolio(portfolioReference)}>{name}</SiteLink>{' '}
              {demo && <Badge tone="notice">Demo data</Badge>}
              <WelcomeText
                title="Welcome to members"
                html={welcomes.find((welcome) => welcome.portfolioReference === portfolioReference)?.members ?? null}
              />
            </th>
            <td>
              <Time dateTime={endsAt}>{formatDate(endsAt, { timeZone, style: 'day-time' })}</Time>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
