import type { ReactNode } from 'react';
import { adminEntries } from '@/components/admin/admin-entries';
import { adminSidebar } from '@/lib/access/rules';
import { pageViewer } from '@/lib/pages/page-viewer';
import { routes } from '@/lib/routes';
import { staffPagesOf } from '@/lib/staff/rules';
import { readHelp } from '../_sections/help';
import { SiteFrame } from '../_sections/site-frame';

export const dynamic = 'force-dynamic';

/** Spec §6: the area of staff. Each page turns away whoever is not, since only it knows where they come back to. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const viewer = await pageViewer();
  return (
    <SiteFrame
      help={await readHelp()}
      of={routes.admin()}
      sidebar={adminSidebar(viewer)}
      entries={adminEntries(staffPagesOf(viewer))}
    >
      {children}
    </SiteFrame>
  );
}
