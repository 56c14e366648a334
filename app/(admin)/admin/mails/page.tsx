import type { Metadata } from 'next';
import { FormMessage } from '@/components/ui/form-message';
import { staffMails } from '@/lib/notifications/queries';
import { pageMetadata } from '@/lib/pages/page';
import { env } from '@/lib/platform/env';
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
  return (
    <StaffListPage list={staffMails} path={path} searchParams={searchParams}>
      {env().SMTP_URL === undefined && (
        <FormMessage kind="error">
          This program has no mail server (SMTP_URL): mails stay here until it has one.
        </FormMessage>
      )}
    </StaffListPage>
  );
}
