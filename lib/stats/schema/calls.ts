import { z } from 'zod';
import { portfolioReferenceSchema, portfolioViewSchema } from '@/lib/portfolios/schema';
import { sports, TimeRange } from '@/lib/reference/schema';
import { comparedPortfolioSchema } from './compared';
import { breakdownKinds } from './rollups';
import { statisticsViewSchema } from './views';

const periodText = z
  .string('period must be given once')
  .regex(/^[0-6]$/, 'period must be the number of a time range, from 0 (day) to 6 (all time)')
  .transform((text) => Number(text) as TimeRange);

const sportText = z
  .string('sport must be given once')
  .regex(/^\d{1,3}$/, 'sport must be the id of a sport')
  .transform(Number)
  .refine(
    (id) => sports.some((sport) => sport.enabled && sport.id === id),
    'sport must be the id of a sport on offer, such as 1 for football',
  );

/** The path of a call about one portfolio. */
export const portfolioParamsSchema = z.object({ reference: portfolioReferenceSchema });

/** The path of a call about one breakdown over a time range. */
export const breakdownParamsSchema = portfolioParamsSchema.extend({ kind: z.enum(breakdownKinds), period: periodText });

/** Spec §7: GET /portfolio/{ref}, with an optional time range and sport for its statistics. */
export const portfolioQuerySchema = z.object({
  period: periodText.default(TimeRange.allTime),
  sport: sportText.optional(),
});

/** The answer of GET /portfolio/{ref}. */
export const portfolioAnswerSchema = portfolioViewSchema.extend({ statistics: statisticsViewSchema });

/** Spec §7: GET /portfolio/recommended. */
export const recommendedQuerySchema = z.object({ sportId: sportText.optional() });

/** The answer of GET /portfolio/recommended and /portfolio/most-popular. */
export const portfolioListSchema = z.object({ items: z.array(comparedPortfolioSchema) });
