import { z } from 'zod';
import { lineSchema, markdownSchema, safeHtmlSchema } from '@/lib/content/schema';
import { pictureFileSchema } from '@/lib/uploads/schema';
import { PortfolioVisibility, portfolioVisibilitySchema } from '@/lib/reference/schema';

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

/** Ours: the bounds of what an owner says of a portfolio, in characters, and how many portfolios a member may own. */
export const portfolioLimits = {
  shortestName: 3,
  longestName: 80,
  longestDescription: 4_000,
  longestWelcome: 2_000,
  mostPortfolios: 20,
} as const;

const { shortestName, longestName, longestDescription, longestWelcome } = portfolioLimits;

const hundredthsOf = (units: number): number => Math.round(units * 100);

// The same bounds in units.
const stakeSchema = z
  .number('a stake is a number of units')
  .min(0.1, 'a stake is 0.1 units at least')
  .max(10, 'a stake is 10 units at most')
  .refine((units) => Math.abs(units * 100 - hundredthsOf(units)) < 1e-6, 'a stake has two decimals at most, in units');

const portfolioFields = {
  name: lineSchema('the name', { shortest: shortestName, longest: longestName }),
  description: markdownSchema('the description', { longest: longestDescription }),
  visibility: portfolioVisibilitySchema,
  defaultTipStakeHundredths: stakeHundredthsSchema,
  welcomeMessage: markdownSchema('the welcome message', { longest: longestWelcome }),
  premiumWelcomeMessage: markdownSchema('the members’ welcome message', { longest: longestWelcome }),
  picture: pictureFileSchema.nullable(),
};

// Spec §3: what the managed portfolio answers with, under its names there.
const answeredNames = {
  type: portfolioVisibilitySchema.optional().describe('the same as visibility; send one of the two'),
  defaultTipStake: stakeSchema
    .optional()
    .describe('the stake in units, the same as defaultTipStakeHundredths; send one of the two'),
};

const spellings = [
  ['type', 'visibility'],
  ['defaultTipStake', 'defaultTipStakeHundredths'],
] as const;

function spelledOnce(
  given: Partial<Record<(typeof spellings)[number][number], unknown>>,
  { addIssue }: z.RefinementCtx,
): void {
  for (const [answered, own] of spellings)
    if (given[answered] !== undefined && given[own] !== undefined)
      addIssue({ code: 'custom', path: [answered], message: `send ${answered} or ${own}, not both` });
}

/** Spec §3: what an owner says of a portfolio; the texts are Markdown. The kind and the stake may have the names of the managed portfolio. */
export const portfolioInputSchema = z
  .strictObject({
    name: portfolioFields.name,
    description: portfolioFields.description.default(''),
    visibility: portfolioFields.visibility.optional().describe('1 (public) where none is sent'),
    defaultTipStakeHundredths: portfolioFields.defaultTipStakeHundredths.optional().describe('100 where none is sent'),
    welcomeMessage: portfolioFields.welcomeMessage.default(''),
    premiumWelcomeMessage: portfolioFields.premiumWelcomeMessage.default(''),
    ...answeredNames,
  })
  .superRefine(spelledOnce)
  .transform(
    ({
      name,
      description,
      type = PortfolioVisibility.public,
      visibility = type,
      defaultTipStake = 1,
      defaultTipStakeHundredths = hundredthsOf(defaultTipStake),
      ...messages
    }) => ({ name, description, visibility, defaultTipStakeHundredths, ...messages }),
  );

/** Spec §7, PUT /user/portfolio: the portfolio by its reference, and what is changed of it; what is left out stays as it is. */
export const portfolioChangeSchema = z
  .strictObject({ reference: portfolioReferenceSchema, ...z.object(portfolioFields).partial().shape, ...answeredNames })
  .refine((change) => Object.keys(change).length > 1, 'name what is to change besides the reference')
  .superRefine(spelledOnce)
  .transform(({ type, defaultTipStake, ...change }) => ({
    ...change,
    ...(type !== undefined && { visibility: type }),
    ...(defaultTipStake !== undefined && { defaultTipStakeHundredths: hundredthsOf(defaultTipStake) }),
  }));

/** What an owner changes of a portfolio. */
export type PortfolioChange = z.input<typeof portfolioChangeSchema>;

/** What an owner says of a portfolio. */
export type PortfolioInput = z.input<typeof portfolioInputSchema>;

/** Spec §3, portfolio (public): what everybody may know of it. `type` is its visibility; product §8: `sells` is true where a plan is on sale, without which nothing that is published is locked. */
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
  picture: pictureFileSchema.nullable(),
  sells: z.boolean(),
});

/** Spec §3: how a tipster welcomes the viewer, as markup: `followers` to those who follow, `members` to those whose membership opens the portfolio; null where that is not the viewer or nothing was written. */
export const welcomeSchema = z.object({
  portfolioReference: z.string(),
  followers: safeHtmlSchema.nullable(),
  members: safeHtmlSchema.nullable(),
});

/** How a tipster welcomes the viewer. */
export type Welcome = z.infer<typeof welcomeSchema>;

/** A portfolio as everybody sees it. */
export type PortfolioView = z.infer<typeof portfolioViewSchema>;
