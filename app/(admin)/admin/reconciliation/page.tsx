import type { Metadata } from 'next';
import { pageMetadata } from '@/lib/pages/page';
import { staffDifferences } from '@/lib/money/queries';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('reconciliation');

export const metadata: Metadata = pageMetadata({
  title: staffDifferences.title,
  description: staffDifferences.lead,
  path,
  index: false,
});

export default function ReconciliationPage({ searchParams }: { searchParams: StaffListSearch }) {
  return <StaffListPage list={staffDifferences} path={path} searchParams={searchParams} />;
}
