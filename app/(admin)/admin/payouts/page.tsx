import type { Metadata } from 'next';
import { pageMetadata } from '@/lib/pages/page';
import { staffPayouts } from '@/lib/money/queries';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('payouts');

export const metadata: Metadata = pageMetadata({
  title: staffPayouts.title,
  description: staffPayouts.lead,
  path,
  index: false,
});

export default function PayoutsPage({ searchParams }: { searchParams: StaffListSearch }) {
  return <StaffListPage list={staffPayouts} path={path} searchParams={searchParams} />;
}
