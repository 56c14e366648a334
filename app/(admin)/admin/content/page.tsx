import type { Metadata } from 'next';
import { SiteLink } from '@/components/ui/site-link';
import { staffContent } from '@/lib/content/queries';
import { pageMetadata } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('content');

export const metadata: Metadata = pageMetadata({
  title: staffContent.title,
  description: staffContent.lead,
  path,
  index: false,
});

export default function ContentPage({ searchParams }: { searchParams: StaffListSearch }) {
  return (
    <StaffListPage list={staffContent} path={path} searchParams={searchParams}>
      <p>
        <SiteLink href={routes.staff('content', { id: 'new' })}>Write a new page</SiteLink>
      </p>
    </StaffListPage>
  );
}
