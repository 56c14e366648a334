import type { Viewer } from '@/lib/access/schema';
import { guest } from '@/lib/http/viewer';
import { countryByIso2 } from '@/lib/reference/schema/countries';

/** A guest who looks from a country. */
export const guestFrom = (iso2: keyof typeof countryByIso2): Viewer => ({
  ...guest(),
  countryId: countryByIso2[iso2].id,
});
