import 'server-only';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { defaultCountry } from '@/lib/reference/schema';
import { geocoderAddress, readGeocoded } from '../rules/geocoding';
import type { Place, Position } from '../schema/place';

const patienceMilliseconds = 5_000;

/** Spec §7: the country of a position, asked of the geocoder that is configured; the default country when it fails. Failure 'missing' where none is configured. */
export async function findCountryAt(position: Position): Promise<Place> {
  const template = env().TIPLEDGER_GEOCODER;
  if (!template) throw new Failure('missing', 'Not Found');
  const location = await askGeocoder(geocoderAddress(template, position));
  return location === null ? { location: defaultCountry.iso2, found: false } : { location, found: true };
}

async function askGeocoder(address: string): Promise<string | null> {
  try {
    const response = await fetch(address, {
      signal: AbortSignal.timeout(patienceMilliseconds),
      headers: { accept: 'application/json' },
      redirect: 'error',
    });
    if (!response.ok) throw new Error(`It answered ${response.status}.`);
    return readGeocoded(await response.json());
  } catch (error) {
    // Without the address, which holds the key and where somebody is.
    log.warn({ event: 'geocoder_failed', message: error instanceof Error ? error.message : String(error) });
    return null;
  }
}
