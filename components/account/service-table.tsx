import type { ManagedPortfolio } from '@/lib/portfolios/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { OwnerAddTip } from '../portfolios/owner-add-tip';
import { OwnerCurrent } from '../portfolios/owner-current';
import { Badge } from '../ui/badge';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import styles from './service-table.module.scss';

const kinds: Readonly<Record<PortfolioVisibility, string>> = { 0: 'Personal', 1: 'Public', 2: 'Premium', 3: 'Hidden' };

/** The portfolios that a tipster owns, with who follows, who pays and what can be done. */
export function ServiceTable({ portfolios }: { portfolios: readonly ManagedPortfolio[] }) {
  return (
    <Table caption="Your portfolios" captionHidden stickyFirstColumn>
      <thead>
        <tr>
          <th scope="col">Portfolio</th>
          <th scope="col">Kind</th>
          {['Followers', 'New this week', 'Members', 'New this week', 'Ending this week'].map((head, index) => (
            <FigureHead key={index}>{head}</FigureHead>
          ))}
          <th scope="col">Current</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {portfolios.map(
          ({
            reference,
            name,
            type,
            demo,
            followers,
            followersThisWeek,
            premiumMembers,
            premiumMembersThisWeek,
            premiumMembersExpiringThisWeek,
          }) => (
            <tr key={reference}>
              <th scope="row">
                <span className={styles.name}>
                  <SiteLink
                    href={
                      type === PortfolioVisibility.personal
                        ? routes.ownPortfolioPage(reference, 'manage')
                        : routes.portfolio(reference)
                    }
                  >
                    {name}
                  </SiteLink>{' '}
                  {demo && <Badge tone="notice">Demo data</Badge>}
                </span>
              </th>
              <td>{kinds[type]}</td>
              <FigureCell>{followers}</FigureCell>
              <FigureCell>{followersThisWeek}</FigureCell>
              <FigureCell>{premiumMembers}</FigureCell>
              <FigureCell>{premiumMembersThisWeek}</FigureCell>
              <FigureCell>{premiumMembersExpiringThisWeek}</FigureCell>
              <td>
                <OwnerCurrent reference={reference} name={name} />
              </td>
              <td>
                <span className={styles.ways}>
                  <OwnerAddTip reference={reference} name={name} />
                  <SiteLink href={routes.ownPortfolioPage(reference, 'manage')} aria-label={`Manage ${name}`}>
                    Manage
                  </SiteLink>
                  <SiteLink href={routes.newPost(reference)} aria-label={`Write a post in ${name}`}>
                    Write a post
                  </SiteLink>
                </span>
              </td>
            </tr>
          ),
        )}
      </tbody>
    </Table>
  );
}
