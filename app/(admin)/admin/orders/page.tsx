import type { Metadata } from 'next';
import { pageMetadata } from '@/lib/pages/page';
import { staffOrders } from '@/lib/money/queries';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('orders');

export const metadata: Metadata = pageMetadata({
  title: staffOrders.title,
  description: staffOrders.lead,
  path,
  index: false,
});

export default function OrdersPage({ searchParams }: { searchParams: StaffListSearch }) {
  return <StaffListPage list={staffOrders} path={path} searchParams={searchParams} />;
}
