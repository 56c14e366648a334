import { z } from 'zod';

/** An exact rational in lowest terms, its terms as text because they outgrow numbers. */
export const exactSchema = z.strictObject({
  numerator: z.string().regex(/^-?\d+$/),
  denominator: z.string().regex(/^[1-9]\d*$/),
});

/** An exact rational in lowest terms. */
export type Exact = z.infer<typeof exactSchema>;
