import type { ReactNode } from 'react';
import { adminEntries } from '@/components/admin/admin-entries';
import { adminSidebar } from '@/lib/access/rules';
import { readStaffViewer } from '@/lib/pages/member-page';
import { routes } from '@/lib/routes';
import { SiteFrame } from '../_sections/site-frame';

export const dynamic = 'force-dynamic';

/** Spec §6: the area of staff. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const viewer = await readStaffViewer(routes.admin());
  return (
    <SiteFrame of={routes.admin()} sidebar={adminSidebar(viewer)} entries={adminEntries}>
      {children}
    </SiteFrame>
  );
}
