import type { Metadata } from 'next';
import { FeedTable } from '@/components/admin/feed-table';
import { listFeeds, staffFeedRuns } from '@/lib/fixtures/queries';
import { defaultView } from '@/lib/pages/default-view';
import { pageMetadata } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('feeds');

export const metadata: Metadata = pageMetadata({
  title: staffFeedRuns.title,
  description: staffFeedRuns.lead,
  path,
  index: false,
});

export default async function FeedsPage({ searchParams }: { searchParams: StaffListSearch }) {
  return (
    <StaffListPage list={staffFeedRuns} path={path} searchParams={searchParams}>
      <FeedTable feeds={await listFeeds()} timeZone={defaultView.timeZone} />
    </StaffListPage>
  );
}
