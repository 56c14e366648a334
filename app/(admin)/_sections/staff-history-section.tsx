import { StaffHistory } from '@/components/admin/staff-history';
import type { Viewer } from '@/lib/access/schema';
import { defaultView } from '@/lib/pages/default-view';
import { listStaffActions, staffLog } from '@/lib/staff/queries';
import type { StaffSubject } from '@/lib/staff/schema';

const mostEntries = 50;

type StaffHistorySectionProps = { viewer: Viewer; subject: StaffSubject; title?: string };

/** The last actions of staff on one thing; `title` tells it from another on the same page. */
export async function StaffHistorySection({ viewer, subject, title }: StaffHistorySectionProps) {
  const entries = await listStaffActions(viewer, { subject, limit: mostEntries });
  const columns = staffLog.columns.filter(({ key }) => key !== 'subject');
  return <StaffHistory columns={columns} entries={entries} timeZone={defaultView.timeZone} title={title} />;
}
