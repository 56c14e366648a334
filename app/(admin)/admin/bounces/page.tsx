import type { Metadata } from 'next';
import { StaffForm } from '@/components/admin/staff-form';
import { staffBounces } from '@/lib/notifications/queries';
import { pageMetadata } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('bounces');

export const metadata: Metadata = pageMetadata({
  title: staffBounces.title,
  description: staffBounces.lead,
  path,
  index: false,
});

export default function BouncesPage({ searchParams }: { searchParams: StaffListSearch }) {
  return (
    <StaffListPage list={staffBounces} path={path} searchParams={searchParams}>
      <StaffForm
        call="POST /admin/bounces"
        action="bounce.stop"
        lead="No notification e-mails are sent there until staff allow it again. Mails that the member asks for, such as codes, still go. The log names the member by number, never the address."
        fields={[
          { kind: 'text', name: 'address', label: 'Address', hint: 'The whole address of a member.', isNeeded: true },
        ]}
      />
    </StaffListPage>
  );
}
