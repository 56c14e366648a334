import { z } from 'zod';
import { portfolioReferenceSchema } from '@/lib/portfolios/schema';
import { isUnique } from './plans';

/** Product §8: how many portfolios a team has at most, and how many days lie between two changes of it. */
export const proTeam = { places: 5, switchDays: 7 } as const;

/** A portfolio that takes part in Pro. */
export const proPortfolioSchema = z.object({
  reference: z.string(),
  name: z.string(),
  owner: z.string(),
  demo: z.boolean(),
});

/** A portfolio that takes part in Pro. */
export type ProPortfolio = z.infer<typeof proPortfolioSchema>;

/**
 * Product §8: where the viewer stands with Tipledger Pro: whether it runs, the team with since when each is in it, how many places it has, who
 * else can be chosen, and from when the team may be changed again; null where it may be changed now.
 */
export const proStandingSchema = z.object({
  running: z.boolean(),
  places: z.int(),
  team: z.array(proPortfolioSchema.extend({ since: z.iso.datetime() })),
  candidates: z.array(proPortfolioSchema),
  switchFrom: z.iso.datetime().nullable(),
});

/** Where a member stands with Pro. */
export type ProStanding = z.infer<typeof proStandingSchema>;

/** The body of PUT /user/pro/team: the portfolios that take the places which are free. */
export const proTeamInputSchema = z.strictObject({
  portfolios: z
    .array(portfolioReferenceSchema)
    .min(1, 'choose a portfolio at least')
    .max(proTeam.places, `a team has ${proTeam.places} portfolios at most`)
    .refine(isUnique, 'name each portfolio once'),
});

/** The body of POST /user/pro/switch: who leaves the team, and who comes in their place. */
export const proSwitchInputSchema = z.strictObject({ out: portfolioReferenceSchema, in: portfolioReferenceSchema });

/** The body of PUT /user/portfolio/{reference}/pro: whether the portfolio takes part in Pro. */
export const proPartSchema = z.strictObject({ tipledgerPro: z.boolean() });

/** Product §8: the periods that Pro is sold for. */
export const proPeriods = ['month', 'year'] as const;
