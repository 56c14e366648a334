import type { Metadata } from 'next';
import { pageMetadata } from '@/lib/pages/page';
import { staffPortfolios } from '@/lib/portfolios/queries';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('portfolios');

export const metadata: Metadata = pageMetadata({
  title: staffPortfolios.title,
  description: staffPortfolios.lead,
  path,
  index: false,
});

export default function PortfoliosPage({ searchParams }: { searchParams: StaffListSearch }) {
  return <StaffListPage list={staffPortfolios} path={path} searchParams={searchParams} />;
}
