import { z } from 'zod';
import type { Role } from '@/lib/reference/schema';

declare const brand: unique symbol;

/** What a member is beyond being signed in: see `Viewer`. */
export type Membership = {
  accountId: number;
  role: Role;
  /** True once the e-mail address was confirmed; before, a member reads and does not write. */
  confirmed: boolean;
  /** The login by which the member is here; null for one who acts through no login, such as a job's. */
  sessionId: string | null;
  /** True while staff have shown their second factor in this login; what is for staff is for nobody else. */
  proven: boolean;
  /** Product §11: true for one who was suspended: reads, and writes no more. */
  suspended: boolean;
  /** True while a pro membership runs. */
  pro: boolean;
  /** Ids of the portfolios that the member owns. */
  owns: readonly number[];
  /** Ids of the portfolios that the member has an active subscription to. */
  subscribes: readonly number[];
  /** Ids of the portfolios that are in the team of the member's pro membership and take part in Pro; none while it does not run. */
  team: readonly number[];
};

/** Who is looking. Only the entry makes one; every query and command takes one and decides by it what exists. */
export type Viewer = {
  readonly [brand]: true;
  /** The country whose bookmaker blocks apply; the default country for a guest. */
  readonly countryId: number;
  /** Spec §4: true where preview mode is on, as on a site that is tried out: everybody reads what is for members. */
  readonly preview: boolean;
} & ({ readonly kind: 'guest' } | ({ readonly kind: 'member' } & Readonly<Membership>));

/**
 * Spec §6: who may make a call: anybody, without being asked who (a token that comes along is not read); everybody, seen as who they are;
 * whoever is signed in; members whose e-mail address is confirmed; admins and super admins who have yet to show their second factor, and those who have; super
 * admins who have.
 */
export type Access = 'unidentified' | 'public' | 'member' | 'confirmed' | 'staff-entry' | 'staff' | 'super-admin';

/** Where a form or a link may lead afterwards; `safeRedirect` decides whether it does. */
export const safePathSchema = z.string().max(2_000, 'This is too long for an address of this site.');
