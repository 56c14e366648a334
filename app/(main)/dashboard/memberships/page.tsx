import { Ticket } from 'lucide-react';
import type { Metadata } from 'next';
import { DashboardHead } from '@/components/account/dashboard-head';
import { CardChanged } from '@/components/memberships/card-changed';
import { MembershipList } from '@/components/memberships/membership-list';
import { OwnPro } from '@/components/memberships/own-pro';
import { ReceiptTable } from '@/components/memberships/receipt-table';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { readCardChange } from '@/lib/memberships/commands';
import { listMemberships, listWaitingOrders } from '@/lib/memberships/queries';
import { proName } from '@/lib/memberships/rules';
import { pageMetadata, type PageQuery } from '@/lib/pages/page';
import { isFailure } from '@/lib/platform/errors';
import { listWelcomes } from '@/lib/portfolios/queries';
import { routes } from '@/lib/routes';
import { ComparedPortfolios } from '@/lib/stats/schema';
import { readMember } from '../_sections/read-member';

export const dynamic = 'force-dynamic';

const path = routes.dashboard('memberships');

export const metadata: Metadata = pageMetadata({
  title: 'Memberships',
  description: 'The portfolios you are a member of, when each membership renews, and your receipts.',
  path,
  index: false,
});

type MembershipsPageProps = { searchParams: Promise<PageQuery> };

export default async function MembershipsPage({ searchParams }: MembershipsPageProps) {
  const asked = await searchParams;
  const { viewer, user, now, timeZone } = await readMember(path, asked);
  const { card } = asked;
  // Before the memberships, which it may change.
  const change = typeof card === 'string' ? await readCardChange(viewer, card).catch(ofAnother) : null;
  const [{ running, past, receipts }, orders, welcomes] = await Promise.all([
    listMemberships(viewer, now),
    listWaitingOrders(viewer),
    listWelcomes(viewer),
  ]);
  return (
    <>
      <DashboardHead title="Memberships" activeHref={path} />
      {change && <CardChanged change={change} />}
      {user.hasProMembership && (
        <section aria-labelledby="pro">
          <SectionHeading id="pro">{proName}</SectionHeading>
          <OwnPro />
        </section>
      )}
      {orders.map(({ reference, portfolioName, status }) => (
        <p key={reference}>
          {status === 'processing' ? 'Your payment is being processed: ' : 'An order is awaiting payment: '}
          <SiteLink href={routes.order(reference)}>{portfolioName}</SiteLink>
        </p>
      ))}
      {running.length > 0 ? (
        <MembershipList memberships={running} welcomes={welcomes} timeZone={timeZone} />
      ) : (
        <EmptyState
          icon={<Icon of={Ticket} size="large" />}
          title="You have no membership"
          action={
            <ButtonLink href={routes.tipsters({ portfolioType: ComparedPortfolios.premium })}>
              Portfolios that sell memberships
            </ButtonLink>
          }
        >
          A membership lets you read a portfolio’s members-only tips before they start. Check a portfolio’s record
          before you join.
        </EmptyState>
      )}
      {past.length > 0 && (
        <section aria-labelledby="past">
          <SectionHeading id="past">Past memberships</SectionHeading>
          <MembershipList memberships={past} welcomes={[]} timeZone={timeZone} />
        </section>
      )}
      {receipts.length > 0 && (
        <section aria-labelledby="receipts">
          <SectionHeading id="receipts">Receipts</SectionHeading>
          <ReceiptTable receipts={receipts} timeZone={timeZone} />
        </section>
      )}
    </>
  );
}

function ofAnother(error: unknown): null {
  if (isFailure(error, 'missing')) return null;
  throw error;
}
