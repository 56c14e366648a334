import { isStaff } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { Role } from '@/lib/reference/schema';
import type { StaffRank } from '../schema/actions';
import { type StaffPage, staffPages } from '../schema/pages';

/** Why a viewer may not do what is for staff of a rank, by the kind of refusal; null when they may. */
export function whyNotStaff(
  viewer: Viewer,
  rank: StaffRank = 'admin',
): { kind: 'unauthorised' | 'forbidden'; message: string } | null {
  if (viewer.kind === 'guest') return { kind: 'unauthorised', message: 'Sign in as a member of staff.' };
  if (!isStaff(viewer) || viewer.suspended)
    return { kind: 'forbidden', message: 'This is for staff. Ask a super admin for the role if it should be yours.' };
  if (rank === 'super-admin' && viewer.role !== Role.superAdmin)
    return { kind: 'forbidden', message: 'This is for super admins. Ask one to do it.' };
  if (!viewer.proven) return { kind: 'forbidden', message: 'Enter your second-factor code first: open /admin.' };
  return null;
}

/** The pages of staff that the side menu of a viewer leads to; none for whoever is not staff. */
export function staffPagesOf(viewer: Viewer): readonly StaffPage[] {
  return viewer.kind === 'member' && isStaff(viewer) ? staffPages : [];
}
