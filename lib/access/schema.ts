import type { Role } from '@/lib/reference/schema/enumerations';

declare const brand: unique symbol;

/** What a member is beyond being signed in: see `Viewer`. */
export type Membership = {
  accountId: number;
  role: Role;
  /** True while a pro membership runs. */
  pro: boolean;
  /** Ids of the portfolios that the member owns. */
  owns: readonly number[];
  /** Ids of the portfolios that the member has an active subscription to. */
  subscribes: readonly number[];
};

/** Who is looking. Only the entry makes one; every query and command takes one and decides by it what exists. */
export type Viewer = {
  readonly [brand]: true;
  /** The country whose bookmaker blocks apply; the default country for a guest. */
  readonly countryId: number;
} & ({ readonly kind: 'guest' } | ({ readonly kind: 'member' } & Readonly<Membership>));

/** Who may make a call: everybody, or whoever is signed in. */
export type Access = 'public' | 'member';
