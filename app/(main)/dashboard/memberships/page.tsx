import { Ticket } from 'lucide-react';
import type { Metadata } from 'next';
import { DashboardHead } from '@/components/account/dashboard-head';
import { MembershipTable } from '@/components/account/membership-table';
import { Badge } from '@/components/ui/badge';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { pageMetadata } from '@/lib/pages/page';
import { listRunningMemberships, listWelcomes } from '@/lib/portfolios/queries';
import { routes } from '@/lib/routes';
import { ComparedPortfolios } from '@/lib/stats/schema';
import { readMember } from '../_sections/read-member';

export const dynamic = 'force-dynamic';

const path = routes.dashboard('memberships');

export const metadata: Metadata = pageMetadata({
  title: 'Memberships',
  description: 'The portfolios whose members’ tips you read, and until when.',
  path,
  index: false,
});

export default async function MembershipsPage() {
  const { viewer, user, now, timeZone } = await readMember(path);
  const [memberships, welcomes] = await Promise.all([listRunningMemberships(viewer, now), listWelcomes(viewer)]);
  return (
    <>
      <DashboardHead title="Memberships" activeHref={path} />
      {user.hasProMembership && (
        <p>
          <Badge tone="accent">Pro</Badge> Your pro membership is running.
        </p>
      )}
      {memberships.length > 0 ? (
        <MembershipTable memberships={memberships} welcomes={welcomes} timeZone={timeZone} />
      ) : (
        <EmptyState
          icon={<Icon of={Ticket} size="large" />}
          title="You have no membership"
          action={
            <ButtonLink href={routes.tipsters({ portfolioType: ComparedPortfolios.premium })}>
              Portfolios with members
            </ButtonLink>
          }
        >
          A membership opens the tips of a portfolio that are for members before they start. Look at the records of
          those portfolios first.
        </EmptyState>
      )}
    </>
  );
}
