import type { Membership, Viewer } from '@/lib/access/schema';
import { env } from '@/lib/platform/env';
import { defaultCountry } from '@/lib/reference/schema';

const isPreview = () => env().TIPLEDGER_PREVIEW === 'on';

/** The viewer that every visitor without an account is; spec §3: the default country stands in for the unknown one. */
export function guest(): Viewer {
  return { kind: 'guest', countryId: defaultCountry.id, preview: isPreview() } as Viewer;
}

type Free = 'confirmed' | 'sessionId' | 'team' | 'proven' | 'suspended';
type Given = Omit<Membership, Free> & Partial<Pick<Membership, Free>>;

/** The viewer that a member is, whose country decides which bookmakers are shown; with a confirmed address, through no login, without a team, not suspended and with no second factor shown unless it says otherwise. */
export function member(membership: Given, countryId = defaultCountry.id): Viewer {
  const usual = { confirmed: true, sessionId: null, team: [], proven: false, suspended: false };
  return { kind: 'member', ...usual, ...membership, countryId, preview: isPreview() } as Viewer;
}
