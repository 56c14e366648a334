import { redirect } from 'next/navigation';
import { isStaff } from '@/lib/access/rules';
import { now as present } from '@/lib/platform/clock';
import { routes } from '@/lib/routes';
import { noteStaffUse } from '@/lib/staff/commands';
import { type MemberViewer, readMemberViewer, requestedAddress } from './member-page';
import type { PageQuery } from './page';

/** Spec §6: the admin or super admin who looks at the page at `path`, `asked` for with this query, second factor shown or not; a member who is neither, or is suspended, is shown the dashboard. */
export async function readStaffEntrant(path: string, asked: PageQuery): Promise<MemberViewer> {
  const viewer = await readMemberViewer(path, asked);
  if (!isStaff(viewer) || viewer.suspended) redirect(routes.dashboard());
  return viewer;
}

/**
 * Spec §6, product §11: the member of staff who looks at the page at `path` and has shown the second factor in this login. Who has not is sent to
 * show it, and back to what they `asked` for there. Each page of staff calls it: its layout is not asked again by a link.
 */
export async function readStaffViewer(path: string, asked: PageQuery = {}): Promise<MemberViewer> {
  const viewer = await readStaffEntrant(path, asked);
  if (!viewer.proven) redirect(routes.staffEntry({ redirect_to: requestedAddress(path, asked) }));
  await noteStaffUse(viewer, present());
  return viewer;
}
