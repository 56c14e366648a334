import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { adminEntries } from '@/components/admin/admin-entries';
import { isStaff } from '@/lib/access/rules';
import { pageViewer } from '@/lib/entry/page-viewer';
import { unauthorisedTarget } from '@/lib/route-table';
import { routes } from '@/lib/routes';
import { SiteFrame } from '../_sections/site-frame';

export const dynamic = 'force-dynamic';

/** Spec §6: the area of staff; a guest is asked to sign in, a member who is no staff is shown their dashboard. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const viewer = await pageViewer();
  if (viewer.kind === 'guest') redirect(unauthorisedTarget(routes.admin()));
  if (!isStaff(viewer)) redirect(routes.dashboard());
  return (
    <SiteFrame of={routes.admin()} entries={adminEntries}>
      {children}
    </SiteFrame>
  );
}
