import { z } from 'zod';
import { comparedPortfolioSchema } from './compared';
import { exactSchema } from './rollups';
import { windowSchema } from './views';

/** Ours (0065): how many tipsters stand side by side at most. */
export const mostCompared = 4;

const courseSchema = z.array(z.int());

/** One of several tipsters side by side: who it is, the figures, and the profit in hundredths of a unit at the days of the chart. */
export const sideBySidePortfolioSchema = comparedPortfolioSchema
  .pick({ reference: true, name: true, owner: true, demo: true, picture: true, statistics: true })
  .extend({ course: courseSchema });

/** One of several tipsters side by side. */
export type SideBySidePortfolio = z.infer<typeof sideBySidePortfolioSchema>;

/**
 * Ours (0065): tipsters side by side at advised stakes: `days` are those of the chart, `combined` is the record of somebody who followed all of
 * them, with the deepest fall from the end of one day to that of another; `overlaps` are the settled selections that two of them share.
 */
export const sideBySideSchema = z.object({
  window: windowSchema.nullable(),
  days: z.array(z.string()),
  portfolios: z.array(sideBySidePortfolioSchema),
  combined: z.object({
    tips: z.int(),
    profitHundredths: exactSchema,
    turnoverHundredths: exactSchema,
    yieldPercent: z.number().nullable(),
    maxDrawdownHundredths: z.int(),
    course: courseSchema,
  }),
  selections: z.array(z.int()),
  overlaps: z.array(z.object({ places: z.tuple([z.int(), z.int()]), shared: z.int() })),
});

/** Tipsters side by side. */
export type SideBySide = z.infer<typeof sideBySideSchema>;
