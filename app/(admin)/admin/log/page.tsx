import type { Metadata } from 'next';
import { pageMetadata } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { staffLog } from '@/lib/staff/queries';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('log');

export const metadata: Metadata = pageMetadata({
  title: staffLog.title,
  description: staffLog.lead,
  path,
  index: false,
});

export default function LogPage({ searchParams }: { searchParams: StaffListSearch }) {
  return <StaffListPage list={staffLog} path={path} searchParams={searchParams} />;
}
