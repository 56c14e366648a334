import type { Metadata } from 'next';
import { StaffDetail } from '@/components/admin/staff-detail';
import { StaffForm } from '@/components/admin/staff-form';
import { SiteLink } from '@/components/ui/site-link';
import { getDifferenceForStaff, placeOfDifference } from '@/lib/money/queries';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { routes } from '@/lib/routes';
import { StaffHistorySection } from '../../../_sections/staff-history-section';

export const dynamic = 'force-dynamic';

type PageProps = { params: Promise<{ difference: string }> };

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { difference: id } = await params;
  return pageMetadata({
    title: `Difference ${id}`,
    description: 'One difference between a provider of payments and the books, for staff.',
    path: routes.staff('reconciliation', { id }),
    index: false,
  });
}

export default async function DifferencePage({ params }: PageProps) {
  const { difference: id } = await params;
  const viewer = await readStaffViewer(routes.staff('reconciliation', { id }));
  const difference = await orNotFound(getDifferenceForStaff(viewer, id));
  const { order, payout, closedAt, settled } = difference;
  const shared = { call: 'POST /admin/reconciliation/{difference}', params: { difference: id } } as const;
  return (
    <StaffDetail
      title={`Difference ${id}`}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'What differs', value: difference.what },
        { title: 'Provider', value: difference.provider },
        { title: 'Kind', value: difference.kind },
        { title: 'The provider’s reference', value: difference.entry },
        { title: 'Our reference', value: difference.reference },
        {
          title: 'Look at',
          value: (
            <SiteLink href={placeOfDifference(difference)}>
              {order !== null ? `Order ${order}` : payout === null ? 'The books' : `Payout ${payout}`}
            </SiteLink>
          ),
        },
        { title: 'Found', value: { at: difference.foundAt } },
        { title: 'Last seen', value: { at: difference.seenAt } },
        {
          title: 'State',
          value:
            closedAt === null ? 'Open' : settled ? 'Settled by staff' : 'Gone: the last comparison did not find it',
        },
      ]}
      actions={
        closedAt === null ? (
          <StaffForm
            {...shared}
            action="difference.settle"
            lead="It is no longer counted, although the comparison goes on finding it. Nothing is booked or paid by this."
          />
        ) : settled ? (
          <StaffForm {...shared} action="difference.reopen" lead="It counts as open again." />
        ) : undefined
      }
    >
      <StaffHistorySection viewer={viewer} subject={{ kind: 'difference', id }} />
    </StaffDetail>
  );
}
