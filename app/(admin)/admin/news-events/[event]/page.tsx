import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { EventActions } from '@/components/admin/event-actions';
import { StaffDetail } from '@/components/admin/staff-detail';
import { formatCount } from '@/lib/format';
import { getEventForStaff } from '@/lib/notifications/queries';
import { eventTitles } from '@/lib/notifications/rules';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { routes } from '@/lib/routes';
import { StaffHistorySection } from '../../../_sections/staff-history-section';

export const dynamic = 'force-dynamic';

type NewsEventPageProps = { params: Promise<{ event: string }> };

export async function generateMetadata({ params }: NewsEventPageProps): Promise<Metadata> {
  const { event } = await params;
  return pageMetadata({
    title: `Event ${event}`,
    description: 'An event and whom it was put down for, for staff.',
    path: routes.staff('news-events', { id: event }),
    index: false,
  });
}

export default async function NewsEventPage({ params }: NewsEventPageProps) {
  const { event: number } = await params;
  const viewer = await readStaffViewer(routes.staff('news-events', { id: number }));
  if (!/^[1-9]\d{0,14}$/.test(number)) notFound();
  const event = await orNotFound(getEventForStaff(viewer, Number(number)));
  return (
    <StaffDetail
      title={`Event ${number}`}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'State', value: { state: event.standing.title, tone: event.standing.tone } },
        { title: 'What it means', value: event.standing.meaning },
        { title: 'What', value: eventTitles[event.kind] },
        { title: 'About', value: event.about },
        { title: 'When it happened', value: { at: event.at } },
        ...event.ways.map(({ way, people }) => ({ title: way, value: formatCount(people, 'person', 'people') })),
        { title: 'Why it failed', value: event.failure },
        ...(event.failedAt === null ? [] : [{ title: 'Last failed', value: { at: event.failedAt } }]),
      ]}
      actions={<EventActions event={number} standing={event.standing.name} />}
    >
      <StaffHistorySection viewer={viewer} subject={{ kind: 'event', id: number }} />
    </StaffDetail>
  );
}
