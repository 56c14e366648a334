import type { Metadata } from 'next';
import { staffMails } from '@/lib/notifications/queries';
import { pageMetadata } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('mails');

export const metadata: Metadata = pageMetadata({
  title: staffMails.title,
  description: staffMails.lead,
  path,
  index: false,
});

export default function MailsPage({ searchParams }: { searchParams: StaffListSearch }) {
  return <StaffListPage list={staffMails} path={path} searchParams={searchParams} />;
}
