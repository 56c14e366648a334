import type { Metadata } from 'next';
import { staffUsers } from '@/lib/accounts/queries';
import { pageMetadata } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('users');

export const metadata: Metadata = pageMetadata({
  title: staffUsers.title,
  description: staffUsers.lead,
  path,
  index: false,
});

export default function UsersPage({ searchParams }: { searchParams: StaffListSearch }) {
  return <StaffListPage list={staffUsers} path={path} searchParams={searchParams} />;
}
