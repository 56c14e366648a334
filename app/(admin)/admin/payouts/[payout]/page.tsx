import type { Metadata } from 'next';
import { StaffDetail } from '@/components/admin/staff-detail';
import { StaffForm } from '@/components/admin/staff-form';
import { SiteLink } from '@/components/ui/site-link';
import { formatAmount } from '@/lib/amounts';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { getPayoutForStaff } from '@/lib/money/queries';
import { routes } from '@/lib/routes';
import { StaffHistorySection } from '../../../_sections/staff-history-section';

export const dynamic = 'force-dynamic';

type PageProps = { params: Promise<{ payout: string }> };

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { payout: id } = await params;
  return pageMetadata({
    title: `Payout ${id}`,
    description: 'One payout, for staff.',
    path: routes.staff('payouts', { id }),
    index: false,
  });
}

export default async function PayoutPage({ params }: PageProps) {
  const { payout: reference } = await params;
  const viewer = await readStaffViewer(routes.staff('payouts', { id: reference }));
  const payout = await orNotFound(getPayoutForStaff(viewer, reference));
  const shared = { call: 'POST /admin/payouts/{payout}', params: { payout: reference } } as const;
  const isOwn = viewer.accountId === payout.ownerId;
  return (
    <StaffDetail
      title={`Payout ${reference}`}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'Asked', value: { at: payout.createdAt } },
        {
          title: 'Owner',
          value: <SiteLink href={routes.staff('users', { id: payout.ownerId })}>{payout.owner}</SiteLink>,
        },
        {
          title: 'Portfolio',
          value:
            payout.portfolio === null ? (
              'An affiliate’s'
            ) : (
              <SiteLink href={routes.staff('portfolios', { id: payout.portfolio })}>{payout.portfolio}</SiteLink>
            ),
        },
        { title: 'Amount', value: formatAmount(payout.amountMinor, payout.currencyId) },
        { title: 'Status', value: payout.status },
        { title: 'Decided by', value: payout.approvedBy },
        { title: 'Why', value: payout.because },
      ]}
      actions={
        payout.status !== 'asked' ? undefined : isOwn ? (
          <p>This payout is your own: somebody else of staff decides on it.</p>
        ) : (
          <>
            <StaffForm
              {...shared}
              action="payout.approve"
              lead="The provider is asked to pay it out within a minute."
            />
            <StaffForm
              {...shared}
              action="payout.refuse"
              lead="What was asked for is payable again. Its owner is told at once, with the reason that you give."
            />
          </>
        )
      }
    >
      <StaffHistorySection viewer={viewer} subject={{ kind: 'payout', id: reference }} />
    </StaffDetail>
  );
}
