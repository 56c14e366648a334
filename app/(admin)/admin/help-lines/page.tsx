import type { Metadata } from 'next';
import { staffHelpLines } from '@/lib/content/queries';
import { pageMetadata } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('help-lines');

export const metadata: Metadata = pageMetadata({
  title: staffHelpLines.title,
  description: staffHelpLines.lead,
  path,
  index: false,
});

export default function HelpLinesPage({ searchParams }: { searchParams: StaffListSearch }) {
  return <StaffListPage list={staffHelpLines} path={path} searchParams={searchParams} />;
}
