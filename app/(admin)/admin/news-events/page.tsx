import type { Metadata } from 'next';
import { staffEvents } from '@/lib/notifications/queries';
import { pageMetadata } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('news-events');

export const metadata: Metadata = pageMetadata({
  title: staffEvents.title,
  description: staffEvents.lead,
  path,
  index: false,
});

export default function NewsEventsPage({ searchParams }: { searchParams: StaffListSearch }) {
  return <StaffListPage list={staffEvents} path={path} searchParams={searchParams} />;
}
