import { countries } from '@/lib/reference/schema';
import type { Position } from '../schema/place';

/** Ours: positions are rounded to a tenth of a degree, some ten kilometres, before they are told to anybody. */
export const roundedDegrees = (degrees: number): number => Math.round(degrees * 10) / 10;

/** The address that a geocoder is asked at, from its template. */
export function geocoderAddress(template: string, { latitude, longitude }: Position): string {
  return template
    .replaceAll('{latitude}', String(roundedDegrees(latitude)))
    .replaceAll('{longitude}', String(roundedDegrees(longitude)));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The two letters in the answer of a geocoder, in either of the two customary shapes: `results` with components of an address, or one `address` with its `country_code`. */
function lettersIn(answer: unknown): string | null {
  if (!isRecord(answer)) return null;
  if (isRecord(answer.address) && typeof answer.address.country_code === 'string') return answer.address.country_code;
  const components = listOf(answer.results).flatMap((result) =>
    isRecord(result) ? listOf(result.address_components) : [],
  );
  const country = components.find((component) => isRecord(component) && listOf(component.types).includes('country'));
  return isRecord(country) && typeof country.short_name === 'string' ? country.short_name : null;
}

/** The country that a geocoder's answer names, by the two letters of ours; null when it names none that we know. */
export function readGeocoded(answer: unknown): string | null {
  const letters = lettersIn(answer)?.toUpperCase();
  return countries.find(({ iso2 }) => iso2 === letters)?.iso2 ?? null;
}
