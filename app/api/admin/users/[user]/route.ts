import {
  deleteUser,
  endUserSessions,
  messageUser,
  reinstateUser,
  resetSecondFactor,
  setRole,
  suspendUser,
} from '@/lib/accounts/commands';
import { staffUserParamsSchema, staffUserSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { staffOutcomeSchema } from '@/lib/staff/schema';

const commands = {
  'user.suspend': suspendUser,
  'user.reinstate': reinstateUser,
  'user.revoke': endUserSessions,
  'user.second-factor': resetSecondFactor,
  'user.delete': deleteUser,
};

export const POST = handle(
  {
    summary:
      'Staff suspend or reinstate a member, end their logins, write to them, reset their second factor, give a role or delete the account',
    access: 'staff',
    params: staffUserParamsSchema,
    body: staffUserSchema,
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body }) => {
    const order = { staff: viewer, user: params.user, reason: body.reason, preview: body.preview };
    if (body.action === 'user.role') return setRole({ ...order, role: body.role });
    if (body.action === 'user.message') return messageUser({ ...order, title: body.title, body: body.body });
    return commands[body.action](order);
  },
);
