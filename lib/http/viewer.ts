import type { Membership, Viewer } from '@/lib/access/schema';
import { env } from '@/lib/platform/env';
import { defaultCountry } from '@/lib/reference/schema';

const isPreview = () => env().TIPLEDGER_PREVIEW === 'on';

/** The viewer that every visitor without an account is; spec §3: the default country stands in for the unknown one. */
export function guest(): Viewer {
  return { kind: 'guest', countryId: defaultCountry.id, preview: isPreview() } as Viewer;
}

type Given = Omit<Membership, 'confirmed' | 'sessionId'> & Partial<Pick<Membership, 'confirmed' | 'sessionId'>>;

/** The viewer that a member is, whose country decides which bookmakers are shown; with a confirmed address and through no login unless it says otherwise. */
export function member(membership: Given, countryId = defaultCountry.id): Viewer {
  return { kind: 'member', confirmed: true, sessionId: null, ...membership, countryId, preview: isPreview() } as Viewer;
}
