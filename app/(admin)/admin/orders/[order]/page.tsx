import type { Metadata } from 'next';
import { StaffDetail } from '@/components/admin/staff-detail';
import { StaffForm } from '@/components/admin/staff-form';
import { SiteLink } from '@/components/ui/site-link';
import { formatAmount } from '@/lib/amounts';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { getOrderForStaff } from '@/lib/money/queries';
import { routes } from '@/lib/routes';
import { StaffHistorySection } from '../../../_sections/staff-history-section';

export const dynamic = 'force-dynamic';

type PageProps = { params: Promise<{ order: string }> };

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { order: id } = await params;
  return pageMetadata({
    title: `Order ${id}`,
    description: 'One order, for staff.',
    path: routes.staff('orders', { id }),
    index: false,
  });
}

export default async function OrderPage({ params }: PageProps) {
  const { order: reference } = await params;
  const viewer = await readStaffViewer(routes.staff('orders', { id: reference }));
  const order = await orNotFound(getOrderForStaff(viewer, reference));
  const { currencyId, amountMinor, givenMinor } = order;
  const canRefund = order.status === 'paid' && order.payment === 'succeeded' && givenMinor < amountMinor;
  return (
    <StaffDetail
      title={`Order ${reference}`}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'When', value: { at: order.createdAt } },
        {
          title: 'Buyer',
          value: <SiteLink href={routes.staff('users', { id: order.buyerId })}>{order.buyer}</SiteLink>,
        },
        {
          title: 'Portfolio',
          value:
            order.portfolio === null ? (
              'Tipledger Pro'
            ) : (
              <SiteLink href={routes.staff('portfolios', { id: order.portfolio })}>{order.portfolio}</SiteLink>
            ),
        },
        { title: 'Kind', value: order.kind },
        { title: 'Status', value: order.status },
        { title: 'Payment', value: order.payment },
        { title: 'Provider', value: order.provider },
        { title: 'What went wrong', value: order.failure },
        { title: 'Amount', value: formatAmount(amountMinor, currencyId) },
        { title: 'Refunded', value: formatAmount(givenMinor, currencyId) },
      ]}
      actions={
        canRefund ? (
          <StaffForm
            call="POST /admin/orders/{order}"
            params={{ order: reference }}
            action="order.refund"
            fixed={{ seen: String(givenMinor) }}
            lead={`Up to ${formatAmount(amountMinor - givenMinor, currencyId)} can still be refunded. Tipster, site and tax bear it in proportion.`}
            fields={[
              {
                kind: 'number',
                name: 'amountMinor',
                label: 'Amount to refund, in pence or cents',
                hint: '500 is 5.00; yen as they are. Empty for all that is left.',
              },
              {
                kind: 'choice',
                name: 'ends',
                label: 'The membership',
                value: 'true',
                choices: [
                  { value: 'true', title: 'Ends now' },
                  { value: 'false', title: 'Runs on' },
                ],
              },
            ]}
          />
        ) : undefined
      }
    >
      <StaffHistorySection viewer={viewer} subject={{ kind: 'order', id: reference }} />
    </StaffDetail>
  );
}
