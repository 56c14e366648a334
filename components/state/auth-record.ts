import type { Role } from '@/lib/reference/schema';

/** Spec §3: the auth record, as the storage tiers keep it. */
export type AuthRecord = { token: string; refreshToken: string; role: Role };

/** The key of the auth record in the storage tiers. */
export const authKey = 'auth';

/** The lock under which the record is changed. */
export const sessionLock = 'tipledger-session';

// Spelt out, since the enumeration would bring its validation library to every visitor.
const roles: typeof Role = { user: 0, superAdmin: 1, admin: 2 };

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The auth record in what was stored or answered; null unless both tokens are there. A role that is none is a user's. */
export function readAuth(value: unknown): AuthRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const { token, refreshToken, role } = value as Record<string, unknown>;
  if (!isText(token) || !isText(refreshToken)) return null;
  return { token, refreshToken, role: Object.values(roles).find((known) => known === role) ?? roles.user };
}

/** Spec §6: true for admins and super admins. */
export function isStaffRole(role: Role): boolean {
  return role === roles.admin || role === roles.superAdmin;
}

/** True when both are the same pair of tokens with the same role. */
export function isSameAuth(one: AuthRecord, other: AuthRecord): boolean {
  return one.token === other.token && one.refreshToken === other.refreshToken && one.role === other.role;
}

/** What an access token tells, read without verifying. */
function claimsOf(token: string): { sub?: unknown; exp?: unknown } {
  try {
    const claims = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(atob(claims)) as { sub?: unknown; exp?: unknown };
  } catch {
    return {};
  }
}

/** The account that an access token is of; null where it does not tell. */
const accountOf = (token: string): unknown => claimsOf(token).sub ?? null;

/** True when an access token has expired by the clock of the device. */
export function isExpired(token: string): boolean {
  const { exp } = claimsOf(token);
  return typeof exp === 'number' && exp * 1000 <= Date.now();
}

/** True when two access tokens are known to be of two accounts. */
export function isOtherAccount(one: string, other: string): boolean {
  const [first, second] = [accountOf(one), accountOf(other)];
  return first !== null && second !== null && first !== second;
}
