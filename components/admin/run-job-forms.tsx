'use client';

import { useState } from 'react';
import { SectionHeading } from '../ui/section-heading';
import { Select } from '../ui/select';
import { StaffForm } from './staff-form';
import styles from './staff-form.module.scss';

/** Product §11: has one of the jobs run at once. */
export function RunJobForms({ jobs }: { jobs: readonly string[] }) {
  const [job, setJob] = useState(jobs[0] ?? '');
  return (
    <section className={styles.actions}>
      <SectionHeading>Run a job now</SectionHeading>
      <Select
        name="job"
        label="Job"
        value={job}
        choices={jobs.map((name) => ({ value: name, title: name }))}
        onChange={(event) => setJob(event.target.value)}
      />
      <StaffForm
        key={job}
        call="POST /admin/jobs/{job}"
        params={{ job }}
        action="job.run"
        title={`Run ${job} now`}
        lead="A running instance starts it within a second or two; a job that runs already is run again after that."
      />
    </section>
  );
}
