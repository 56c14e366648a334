import type { Membership, Viewer } from '@/lib/access/schema';
import { defaultCountry } from '@/lib/reference/schema/countries';

/** The viewer that every visitor without an account is; spec §3: the default country stands in for the unknown one. */
export function guest(): Viewer {
  return { kind: 'guest', countryId: defaultCountry.id } as Viewer;
}

/** The viewer that a member is, whose country decides which bookmakers are shown. */
export function member(membership: Membership, countryId = defaultCountry.id): Viewer {
  return { kind: 'member', countryId, ...membership } as Viewer;
}
