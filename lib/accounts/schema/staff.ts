import { z } from 'zod';
import { lineSchema, markdownSchema } from '@/lib/content/schema';
import { Role } from '@/lib/reference/schema';
import { staffOrderSchema } from '@/lib/staff/schema';

/** The path of a call of staff about a member: the number of the account. */
export const staffUserParamsSchema = z.object({
  user: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of an account')
    .transform(Number),
});

/** Ours: the bounds of what staff write to a member, in characters. */
export const staffMessageLimits = { shortestTitle: 3, longestTitle: 120, longestBody: 2_000 } as const;

const { shortestTitle, longestTitle, longestBody } = staffMessageLimits;

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
  staffOrderSchema.extend({
    action: z.literal('user.message'),
    title: lineSchema('the subject', { shortest: shortestTitle, longest: longestTitle }),
    body: markdownSchema('the message', { longest: longestBody }).refine((text) => text !== '', 'Write a message.'),
  }),
]);

/** Product §11: the body of POST /admin/users/{user}/export: why it is taken. */
export const staffExportSchema = staffOrderSchema.pick({ reason: true });
