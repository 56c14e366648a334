import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { DeliveryActions } from '@/components/admin/delivery-actions';
import { StaffDetail } from '@/components/admin/staff-detail';
import { StaffHistory } from '@/components/admin/staff-history';
import { SiteLink } from '@/components/ui/site-link';
import { deliveryWays, getDeliveryForStaff } from '@/lib/notifications/queries';
import { channelTitles, eventTitles } from '@/lib/notifications/rules';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { routes } from '@/lib/routes';
import { StaffHistorySection } from '../../../_sections/staff-history-section';

export const dynamic = 'force-dynamic';

type DeliveryPageProps = { params: Promise<{ delivery: string }> };

export async function generateMetadata({ params }: DeliveryPageProps): Promise<Metadata> {
  const { delivery } = await params;
  return pageMetadata({
    title: `Notification ${delivery}`,
    description: 'What is to reach one member by one way, for staff.',
    path: routes.staff('notifications', { id: delivery }),
    index: false,
  });
}

export default async function DeliveryPage({ params }: DeliveryPageProps) {
  const { delivery: number } = await params;
  const viewer = await readStaffViewer(routes.staff('notifications', { id: number }));
  if (!/^[1-9]\d{0,14}$/.test(number)) notFound();
  const delivery = await orNotFound(getDeliveryForStaff(viewer, Number(number)));
  return (
    <StaffDetail
      title={`Notification ${number}`}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'State', value: { state: delivery.standing.title, tone: delivery.standing.tone } },
        { title: 'What it means', value: delivery.standing.meaning },
        { title: 'Way', value: channelTitles[delivery.channel] },
        {
          title: 'To',
          value: <SiteLink href={routes.staff('users', { id: delivery.accountId })}>{delivery.username}</SiteLink>,
        },
        {
          title: 'Event',
          value: (
            <SiteLink href={routes.staff('news-events', { id: delivery.eventId })}>
              {eventTitles[delivery.kind]} {delivery.eventId}
            </SiteLink>
          ),
        },
        {
          title: 'About',
          value:
            delivery.portfolio === null ? (
              delivery.about
            ) : (
              <SiteLink href={routes.staff('portfolios', { id: delivery.portfolio })}>{delivery.about}</SiteLink>
            ),
        },
        { title: 'When it happened', value: { at: delivery.at } },
        { title: 'Tries', value: delivery.attempts },
        { title: 'Next try', value: delivery.nextAt === null ? 'None' : { at: delivery.nextAt } },
      ]}
      actions={<DeliveryActions delivery={number} standing={delivery.standing.name} />}
    >
      {delivery.others.length > 0 && (
        <StaffHistory
          title="The same to them by other ways"
          columns={deliveryWays}
          entries={delivery.others}
          timeZone={defaultView.timeZone}
        />
      )}
      <StaffHistorySection viewer={viewer} subject={{ kind: 'delivery', id: number }} />
    </StaffDetail>
  );
}
