import { closestTimeZone } from '@/lib/reference/rules';
import type { Country, TimeZone } from '@/lib/reference/schema';

/** What a device says of where it is. */
export type Device = { timeZone: string; languages: readonly string[] };

type PlacedCountry = Pick<Country, 'iso2'>;

type LocaleOfZones = Intl.Locale & {
  timeZones?: readonly string[];
  getTimeZones?: () => readonly string[] | undefined;
};

/** What this device says. */
export function readDevice(): Device {
  return { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, languages: navigator.languages };
}

function zonesOf(iso2: string): readonly string[] {
  const locale: LocaleOfZones = new Intl.Locale('und', { region: iso2 });
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

function regionOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).region;
  } catch {
    return undefined;
  }
}

/**
 * Product §3: the country that a sign-up begins with, found on the device alone: the one that keeps its time zone, of several the one
 * whose language it speaks; else the country that its language names; null when nothing tells.
 */
export function guessCountry<T extends PlacedCountry>(
  { timeZone, languages }: Device,
  countries: readonly T[],
): T | null {
  const regions = languages.flatMap((language) => regionOf(language) ?? []);
  const near = countries.filter(({ iso2 }) => zonesOf(iso2).includes(timeZone));
  const among = near.length > 0 ? near : countries;
  const spoken = regions.flatMap((region) => among.find(({ iso2 }) => iso2 === region) ?? [])[0];
  return spoken ?? near[0] ?? null;
}

/** Product §3: the time zone that a sign-up begins with; null for a zone that the browser does not know. */
export function guessTimeZone({ timeZone }: Device, zones: readonly TimeZone[], now: Date): TimeZone | null {
  return closestTimeZone(timeZone, zones, now);
}
