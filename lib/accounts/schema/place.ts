import { z } from 'zod';
import { countries } from '@/lib/reference/schema';

const degrees = (most: number) =>
  z.number('must be a number of degrees').min(-most, `must be -${most} at least`).max(most, `must be ${most} at most`);

/** Spec §7: where a browser says that it is, in degrees. */
export const positionSchema = z.strictObject({ latitude: degrees(90), longitude: degrees(180) });

/** Where a browser says that it is, in degrees. */
export type Position = z.output<typeof positionSchema>;

/** The country of a position by its two letters; `found` is false where it is the default one, as nothing told. */
export const placeSchema = z.object({ location: z.enum(countries.map(({ iso2 }) => iso2)), found: z.boolean() });

/** The country of a position by its two letters. */
export type Place = z.output<typeof placeSchema>;
