import { z } from 'zod';
import { Role } from '@/lib/reference/schema';
import { staffOrderSchema } from '@/lib/staff/schema';

/** The path of a call of staff about a member: the number of the account. */
export const staffUserParamsSchema = z.object({
  user: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of an account')
    .transform(Number),
});

/** Product §11: the body of POST /admin/users/{user}: what is done, and why. */
export const staffUserSchema = z.discriminatedUnion('action', [
  staffOrderSchema.extend({
    action: z.enum(['user.suspend', 'user.reinstate', 'user.revoke', 'user.second-factor', 'user.delete']),
  }),
  staffOrderSchema.extend({
    action: z.literal('user.role'),
    role: z
      .enum({ user: String(Role.user), superAdmin: String(Role.superAdmin), admin: String(Role.admin) })
      .transform((given) => Number(given) as Role),
  }),
]);

/** Product §11: the body of POST /admin/users/{user}/export: why it is taken. */
export const staffExportSchema = staffOrderSchema.pick({ reason: true });
