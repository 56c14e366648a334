import { exportUser } from '@/lib/accounts/queries';
import { userExportSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';

export const GET = handle(
  {
    summary: 'Everything held on the signed-in user',
    access: 'member',
    answers: userExportSchema,
    limit: { hits: 10, windowSeconds: 600 },
  },
  ({ viewer, now }) => exportUser(viewer, now),
);
