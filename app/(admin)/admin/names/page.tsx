import type { Metadata } from 'next';
import { staffNames } from '@/lib/fixtures/queries';
import { pageMetadata } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('names');

export const metadata: Metadata = pageMetadata({
  title: staffNames.title,
  description: staffNames.lead,
  path,
  index: false,
});

export default function NamesPage({ searchParams }: { searchParams: StaffListSearch }) {
  return <StaffListPage list={staffNames} path={path} searchParams={searchParams} />;
}
