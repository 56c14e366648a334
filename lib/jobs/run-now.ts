import type { Viewer } from '@/lib/access/schema';
import { Failure } from '@/lib/platform/errors';
import { act } from '@/lib/staff/commands';
import type { StaffOrder, StaffOutcome } from '@/lib/staff/schema';
import { askForJob } from './ask';

/** Product §11: staff have a job run at once, by whichever instance looks next. Failure 'missing' for no such job; else as `act`. */
export async function runJobNow({
  staff,
  job,
  ...order
}: { staff: Viewer; job: string } & StaffOrder): Promise<StaffOutcome> {
  return act({ staff, action: 'job.run', subject: { kind: 'job', id: job }, ...order }, async () => {
    const at = await askForJob(job);
    if (at === null) throw new Failure('missing', 'There is no such job. The list of jobs names them.');
    return { before: { 'asked for by staff': null }, after: { 'asked for by staff': at.toISOString() } };
  });
}
