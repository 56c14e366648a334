import type { Viewer } from '@/lib/access/schema';
import { defaultCountry } from '@/lib/reference/schema/countries';

/** The viewer that every visitor without an account is; spec §3: the default country stands in for the unknown one. */
export function guest(): Viewer {
  return { kind: 'guest', countryId: defaultCountry.id } as Viewer;
}
