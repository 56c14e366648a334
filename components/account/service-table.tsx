import type { ManagedPortfolio } from '@/lib/portfolios/schema/managed';
import type { PortfolioVisibility } from '@/lib/reference/schema/enumerations';
import { routes } from '@/lib/routes';
import { Badge } from '../ui/badge';
import { FigureCell } from '../ui/figure-cell';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';

const kinds: Readonly<Record<PortfolioVisibility, string>> = { 0: 'Personal', 1: 'Public', 2: 'Members', 3: 'Hidden' };

/** The portfolios that a tipster owns, with who follows and who pays. */
export function ServiceTable({ portfolios }: { portfolios: readonly ManagedPortfolio[] }) {
  return (
    <Table caption="Your portfolios" captionHidden stickyFirstColumn>
      <thead>
        <tr>
          <th scope="col">Portfolio</th>
          <th scope="col">Kind</th>
          {['Followers', 'New this week', 'Members', 'New this week', 'Ending this week'].map((head, index) => (
            <FigureCell key={index} as="th" scope="col">
              {head}
            </FigureCell>
          ))}
        </tr>
      </thead>
      <tbody>
        {portfolios.map(({ reference, name, type, demo, followers, followersThisWeek, premiumMembers, premiumMembersThisWeek, premiumMembersExpiringThisWeek }) => (
          <tr key={reference}>
            <th scope="row">
              <SiteLink href={routes.portfolio(reference)}>{name}</SiteLink> {demo && <Badge tone="notice">Demo data</Badge>}
            </th>
            <td>{kinds[type]}</td>
            <FigureCell>{followers}</FigureCell>
            <FigureCell>{followersThisWeek}</FigureCell>
            <FigureCell>{premiumMembers}</FigureCell>
            <FigureCell>{premiumMembersThisWeek}</FigureCell>
            <FigureCell>{premiumMembersExpiringThisWeek}</FigureCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
