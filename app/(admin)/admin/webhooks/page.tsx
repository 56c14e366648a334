import type { Metadata } from 'next';
import { staffWebhooks } from '@/lib/webhooks/queries';
import { pageMetadata } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('webhooks');

export const metadata: Metadata = pageMetadata({
  title: staffWebhooks.title,
  description: staffWebhooks.lead,
  path,
  index: false,
});

export default function WebhooksPage({ searchParams }: { searchParams: StaffListSearch }) {
  return <StaffListPage list={staffWebhooks} path={path} searchParams={searchParams} />;
}
