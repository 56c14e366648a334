import type { Metadata } from 'next';
import { JobTable } from '@/components/admin/job-table';
import { RunJobForms } from '@/components/admin/run-job-forms';
import { listJobStates, whyNoJobs } from '@/lib/jobs/states';
import { defaultView } from '@/lib/pages/default-view';
import { pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { routes } from '@/lib/routes';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

const path = routes.staff('jobs');

export const metadata: Metadata = pageMetadata({
  title: 'Jobs',
  description: 'The state of the jobs that keep the site going, for staff.',
  path,
  index: false,
});

export default async function JobsPage() {
  await readStaffViewer(path);
  const [jobs, idle] = [await listJobStates(), whyNoJobs()];
  return (
    <>
      <h1>Jobs</h1>
      <p className={styles.lead}>What the program does by the clock, and how it last went. All times are UK time.</p>
      {idle !== null && <p className={styles.lead}>{idle}</p>}
      <JobTable jobs={jobs} timeZone={defaultView.timeZone} />
      <RunJobForms jobs={jobs.map(({ name }) => name)} />
    </>
  );
}
