import type { Metadata } from 'next';
import { staffDueFixtures } from '@/lib/fixtures/queries';
import { pageMetadata } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('due-results');

export const metadata: Metadata = pageMetadata({
  title: staffDueFixtures.title,
  description: staffDueFixtures.lead,
  path,
  index: false,
});

export default function DueResultsPage({ searchParams }: { searchParams: StaffListSearch }) {
  return <StaffListPage list={staffDueFixtures} path={path} searchParams={searchParams} />;
}
