import { z } from 'zod';

/** Ours (0065): how many of the last results a row or a card shows. */
export const shownResults = 6;

/** Ours (0065): how many of the last results are kept of a record. */
export const keptResults = 10;

/** Ours (0065): into how many equal parts of its tips the curve of a row or a card is divided. */
export const sketchParts = 24;

/** The kinds of what a record can be most at home in. */
export const specialityKinds = ['sport', 'league', 'bet-type'] as const;

/** What a record is mostly on: so many (`tips`) of all (`of`) in the past year. */
export const specialitySchema = z.object({
  kind: z.enum(specialityKinds),
  label: z.string(),
  tips: z.int().min(1),
  of: z.int().min(1),
});

/** What a record is mostly on. */
export type Speciality = z.infer<typeof specialitySchema>;

/** What is drawn of a record: its profit in hundredths of a unit after equal parts of its tips, from 0 on, its last results, oldest first, and what it is mostly on. */
export const sketchSchema = z.object({
  curve: z.array(z.int()),
  form: z.string().regex(/^[WLV]*$/),
  speciality: specialitySchema.nullable(),
});
