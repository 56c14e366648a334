import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { runJobNow } from '@/lib/jobs/run-now';
import { staffOrderSchema, staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Staff have a job run at once',
    access: 'staff',
    params: z.object({ job: z.string().regex(/^[a-z0-9-]{1,60}$/, 'is not the name of a job') }),
    body: staffOrderSchema.extend({ action: z.literal('job.run') }),
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body: { reason, preview } }) => runJobNow({ staff: viewer, job: params.job, reason, preview }),
);
