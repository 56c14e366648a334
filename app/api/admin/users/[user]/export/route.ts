import { exportUserForStaff } from '@/lib/accounts/commands';
import { staffExportSchema, staffUserParamsSchema, userExportSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';

export const POST = handle(
  {
    summary: 'Everything held on a member, taken by staff for a reason that the log keeps',
    access: 'staff',
    params: staffUserParamsSchema,
    body: staffExportSchema,
    answers: userExportSchema,
  },
  ({ viewer, params, body }) => exportUserForStaff({ staff: viewer, user: params.user, reason: body.reason }),
);
