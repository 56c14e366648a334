import type { Metadata } from 'next';
import { staffBookmakers } from '@/lib/content/queries';
import { pageMetadata } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('bookmakers');

export const metadata: Metadata = pageMetadata({
  title: staffBookmakers.title,
  description: staffBookmakers.lead,
  path,
  index: false,
});

export default function BookmakersPage({ searchParams }: { searchParams: StaffListSearch }) {
  return <StaffListPage list={staffBookmakers} path={path} searchParams={searchParams} />;
}
