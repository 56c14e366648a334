import { z } from 'zod';

const asked = 'Enter a day and a time in UTC, such as 2026-03-14T15:00.';

// The language takes 31 February for a day of March.
function exists(given: string): boolean {
  const at = new Date(`${given}Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(given);
}

/** A day and a time in UTC as a field of a form sends it, such as 2026-03-14T15:00, as a Date. */
export const utcMomentSchema = z
  .string()
  .trim()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/, { error: asked, abort: true })
  .refine(exists, 'This day or time does not exist.')
  .transform((given) => new Date(`${given}Z`));

/** The same where the field may stay empty, as null. */
export const optionalUtcMomentSchema = z
  .string()
  .trim()
  .transform((given) => (given === '' ? null : given))
  .pipe(utcMomentSchema.nullable())
  .default(null);
