import type { Metadata } from 'next';
import { JobTable } from '@/components/admin/job-table';
import { listJobStates } from '@/lib/jobs/states';
import { readStaffViewer } from '@/lib/pages/member-page';
import { pageMetadata } from '@/lib/pages/page';
import { defaultView } from '@/lib/pages/default-view';
import { routes } from '@/lib/routes';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = pageMetadata({
  title: 'Administration',
  description: 'The state of the jobs that keep the site going, for staff.',
  path: routes.admin(),
  index: false,
});

export default async function AdminPage() {
  await readStaffViewer(routes.admin());
  return (
    <>
      <h1>Administration</h1>
      <p className={styles.lead}>What the program does by the clock, and how it last went. All times are UK time.</p>
      <JobTable jobs={await listJobStates()} timeZone={defaultView.timeZone} />
    </>
  );
}
