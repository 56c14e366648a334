import { Role } from '@/lib/reference/schema';

/** The roles in words. */
export const roleNames: Readonly<Record<Role, string>> = {
  [Role.user]: 'user',
  [Role.superAdmin]: 'super admin',
  [Role.admin]: 'admin',
};
