import type { ManagedPortfolio } from '@/lib/portfolios/schema/managed';
import type { PortfolioVisibility } from '@/lib/reference/schema/enumerations';
import { Stat } from '../ui/stat';
import { Stats } from '../ui/stats';
import { Table } from '../ui/table';

const kinds: Readonly<Record<PortfolioVisibility, string>> = { 0: 'Personal: you alone see it', 1: 'Public: everybody sees it', 2: 'Members: its tips are for members until they start', 3: 'Hidden: whoever has the address sees it' };

/** What a portfolio's owner has set, and who follows. */
export function PortfolioFacts({ portfolio }: { portfolio: ManagedPortfolio }) {
  const rows = [
    ['Visibility', kinds[portfolio.type]],
    ['Description', portfolio.description],
    ['Stake of a new tip', `${portfolio.defaultTipStake.toFixed(2)} units`],
    ['Welcome to followers', portfolio.welcomeMessage],
    ['Welcome to members', portfolio.premiumWelcomeMessage],
  ] as const;
  return (
    <>
      <Stats>
        <Stat label="Followers" note={`${portfolio.followersThisWeek} new this week`}>
          {portfolio.followers}
        </Stat>
        <Stat label="Members" note={`${portfolio.premiumMembersThisWeek} new this week`}>
          {portfolio.premiumMembers}
        </Stat>
        <Stat label="Memberships ending">{portfolio.premiumMembersExpiringThisWeek}</Stat>
      </Stats>
      <Table caption="Settings of the portfolio" captionHidden>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value || 'None'}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}
