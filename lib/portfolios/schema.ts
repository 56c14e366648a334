import { z } from 'zod';
import { PortfolioVisibility, portfolioVisibilitySchema } from '@/lib/reference/schema/enumerations';

/** Product §5: the bounds of a stake, in hundredths of a unit. */
export const stakeHundredthsSchema = z
  .int('a stake is a whole number of hundredths of a unit')
  .min(10, 'a stake is 0.1 units at least')
  .max(1000, 'a stake is 10 units at most');

/** The reference of a portfolio: lowercase words joined by hyphens, at most 60 characters. */
export const portfolioReferenceSchema = z
  .string()
  .max(60, 'is too long for a portfolio (60 characters at most)')
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lowercase letters, digits and single hyphens');

const text = (name: string, longest: number) => z.string().trim().max(longest, `${name} may have ${longest} characters at most`);

/** Spec §3: what an owner says of a portfolio. */
export const portfolioInputSchema = z.strictObject({
  name: text('the name', 80).min(3, 'the name needs 3 characters at least'),
  description: text('the description', 4000).default(''),
  visibility: portfolioVisibilitySchema.default(PortfolioVisibility.public),
  defaultTipStakeHundredths: stakeHundredthsSchema.default(100),
  welcomeMessage: text('the welcome message', 2000).default(''),
  premiumWelcomeMessage: text('the members’ welcome message', 2000).default(''),
});

/** What an owner says of a portfolio. */
export type PortfolioInput = z.input<typeof portfolioInputSchema>;

/** Spec §3, portfolio (public): what everybody may know of it. `type` is its visibility. */
export const portfolioViewSchema = z.object({
  id: z.int(),
  reference: z.string(),
  type: portfolioVisibilitySchema,
  name: z.string(),
  description: z.string(),
  owner: z.string(),
  tipledgerPro: z.boolean(),
  followers: z.int(),
  createdAt: z.iso.datetime(),
  abandoned: z.boolean(),
  demo: z.boolean(),
});

/** A portfolio as everybody sees it. */
export type PortfolioView = z.infer<typeof portfolioViewSchema>;
