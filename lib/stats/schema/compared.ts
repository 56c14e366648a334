import { z } from 'zod';
import { currencyIdSchema, portfolioVisibilitySchema } from '@/lib/reference/schema';
import { sketchSchema } from './sketches';
import { statisticsViewSchema } from './views';

/** Product §8: what a portfolio’s membership costs a month by the plan that is least a month, in minor units of its main currency, rounded up. */
export const monthlyPriceSchema = z.object({ monthMinor: z.int(), currencyId: currencyIdSchema });

/** A portfolio in the comparison, with its statistics and its sketch over the sport and time range compared; the speciality is that of the whole record. */
export const comparedPortfolioSchema = z.object({
  id: z.int(),
  reference: z.string(),
  type: portfolioVisibilitySchema,
  name: z.string(),
  owner: z.string(),
  tipledgerPro: z.boolean(),
  demo: z.boolean(),
  createdAt: z.iso.datetime(),
  followers: z.int(),
  picture: z.string().nullable(),
  price: monthlyPriceSchema.nullable(),
  statistics: statisticsViewSchema,
  ...sketchSchema.shape,
});

/** A portfolio in the comparison. */
export type ComparedPortfolio = z.infer<typeof comparedPortfolioSchema>;

/** A page of the comparison; `total` counts all that pass the filter. */
export const comparisonPageSchema = z.object({
  items: z.array(comparedPortfolioSchema),
  total: z.int(),
  page: z.int(),
  pageSize: z.int(),
});

/** A page of the comparison. */
export type ComparisonPage = z.infer<typeof comparisonPageSchema>;
