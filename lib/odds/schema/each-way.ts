import { z } from 'zod';

/** Settlement §4: the part of a winning price that a place pays, such as 1/4. */
export const placeFractionSchema = z
  .strictObject({ numerator: z.int().min(1).max(100), denominator: z.int().min(1).max(100) })
  .refine(({ numerator, denominator }) => numerator <= denominator, 'a place pays no more than the whole price');

/** Settlement §4: how many places are paid, and at which part of the price. */
export const placeTermsSchema = z.strictObject({ places: z.int().min(1).max(100), fraction: placeFractionSchema });

/** How many places are paid, and at which part of the price. */
export type PlaceTerms = z.infer<typeof placeTermsSchema>;

/** Settlement §4: the place terms as stored at publication; 'standard' ones follow the number that ran, 'fixed' ones stand. */
export const eachWayTermsSchema = placeTermsSchema.extend({ basis: z.enum(['standard', 'fixed']) });

/** The place terms as stored at publication. */
export type EachWayTerms = z.infer<typeof eachWayTermsSchema>;
