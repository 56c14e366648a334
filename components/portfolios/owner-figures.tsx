import type { ManagedPortfolio } from '@/lib/portfolios/schema';
import { Stat } from '../ui/stat';
import { Stats } from '../ui/stats';

/** Who follows a portfolio and who pays for it, and what is new of that this week. */
export function OwnerFigures({ portfolio }: { portfolio: ManagedPortfolio }) {
  return (
    <Stats>
      <Stat label="Followers" note={`${portfolio.followersThisWeek} new this week`}>
        {portfolio.followers}
      </Stat>
      <Stat label="Members" note={`${portfolio.premiumMembersThisWeek} new this week`}>
        {portfolio.premiumMembers}
      </Stat>
      <Stat label="Memberships ending" note="within seven days">
        {portfolio.premiumMembersExpiringThisWeek}
      </Stat>
    </Stats>
  );
}
