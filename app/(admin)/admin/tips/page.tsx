import type { Metadata } from 'next';
import { pageMetadata } from '@/lib/pages/page';
import { staffTips } from '@/lib/settlement/queries';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('tips');

export const metadata: Metadata = pageMetadata({
  title: staffTips.title,
  description: staffTips.lead,
  path,
  index: false,
});

export default function TipsPage({ searchParams }: { searchParams: StaffListSearch }) {
  return <StaffListPage list={staffTips} path={path} searchParams={searchParams} />;
}
