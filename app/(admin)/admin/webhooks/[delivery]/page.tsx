import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { StaffDetail } from '@/components/admin/staff-detail';
import { WebhookActions } from '@/components/admin/webhook-actions';
import { SiteLink } from '@/components/ui/site-link';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { routes } from '@/lib/routes';
import { getWebhookDeliveryForStaff } from '@/lib/webhooks/queries';
import { StaffHistorySection } from '../../../_sections/staff-history-section';

export const dynamic = 'force-dynamic';

type WebhookDeliveryPageProps = { params: Promise<{ delivery: string }> };

export async function generateMetadata({ params }: WebhookDeliveryPageProps): Promise<Metadata> {
  const { delivery } = await params;
  return pageMetadata({
    title: `Webhook delivery ${delivery}`,
    description: 'What is sent to the address of a portfolio, for staff.',
    path: routes.staff('webhooks', { id: delivery }),
    index: false,
  });
}

export default async function WebhookDeliveryPage({ params }: WebhookDeliveryPageProps) {
  const { delivery: number } = await params;
  const viewer = await readStaffViewer(routes.staff('webhooks', { id: number }));
  if (!/^[1-9]\d{0,14}$/.test(number)) notFound();
  const delivery = await orNotFound(getWebhookDeliveryForStaff(viewer, Number(number)));
  return (
    <StaffDetail
      title={`Webhook delivery ${number}`}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'State', value: { state: delivery.standing.title, tone: delivery.standing.tone } },
        { title: 'What it means', value: delivery.standing.meaning },
        {
          title: 'Portfolio',
          value: (
            <SiteLink href={routes.staff('portfolios', { id: delivery.portfolio })}>{delivery.portfolio}</SiteLink>
          ),
        },
        { title: 'Host', value: delivery.host },
        { title: 'Event', value: delivery.kind },
        { title: 'Written', value: { at: delivery.at } },
        { title: 'Last answer', value: delivery.answer },
        { title: 'Answered', value: { at: delivery.answeredAt } },
        { title: 'Tries', value: delivery.attempts },
        { title: 'Next try', value: delivery.nextAt === null ? 'None' : { at: delivery.nextAt } },
      ]}
      actions={<WebhookActions delivery={number} standing={delivery.standing.name} />}
    >
      <StaffHistorySection viewer={viewer} subject={{ kind: 'webhook', id: number }} />
    </StaffDetail>
  );
}
