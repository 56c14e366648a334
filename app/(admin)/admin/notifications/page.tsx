import type { Metadata } from 'next';
import { NewsQueues } from '@/components/admin/news-queues';
import { staffDeliveries, summariseNews } from '@/lib/notifications/queries';
import { defaultView } from '@/lib/pages/default-view';
import { pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { now as present } from '@/lib/platform/clock';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('notifications');

export const metadata: Metadata = pageMetadata({
  title: staffDeliveries.title,
  description: staffDeliveries.lead,
  path,
  index: false,
});

export default async function NotificationsPage({ searchParams }: { searchParams: StaffListSearch }) {
  const viewer = await readStaffViewer(path, await searchParams);
  return (
    <StaffListPage list={staffDeliveries} path={path} searchParams={searchParams}>
      <NewsQueues queues={await summariseNews(viewer, present())} timeZone={defaultView.timeZone} />
    </StaffListPage>
  );
}
