import { z } from 'zod';
import { portfolioVisibilitySchema } from '@/lib/reference/schema';

/** Spec §3, portfolio (managed): what its owner is told beyond what everybody may know. The stake is in units, what was paid out in minor units of the main currency. */
export const managedPortfolioSchema = z.object({
  reference: z.string(),
  id: z.int(),
  name: z.string(),
  type: portfolioVisibilitySchema,
  followers: z.int(),
  followersThisWeek: z.int(),
  premiumMembers: z.int(),
  premiumMembersThisWeek: z.int(),
  premiumMembersExpiringThisWeek: z.int(),
  totalPayout: z.int(),
  welcomeMessage: z.string(),
  premiumWelcomeMessage: z.string(),
  defaultTipStake: z.number(),
  couponId: z.int().nullable(),
  tipledgerPro: z.boolean(),
  description: z.string(),
  picture: z.string().nullable(),
  demo: z.boolean(),
  sells: z.boolean(),
});

/** Ours (0071): what every page of its owner needs of a portfolio. */
export const ownPortfolioSchema = managedPortfolioSchema.pick({
  reference: true,
  name: true,
  type: true,
  defaultTipStake: true,
  sells: true,
});

/** What every page of its owner needs of a portfolio. */
export type OwnPortfolio = z.infer<typeof ownPortfolioSchema>;

/** A portfolio as its owner manages it. */
export type ManagedPortfolio = z.infer<typeof managedPortfolioSchema>;

/** Spec §7, abandon: the portfolio that was abandoned, and the one of the owner's that is current now; null when none is left. */
export const abandonedSchema = z.object({ reference: z.string(), next: z.string().nullable() });

/** What is answered once a portfolio is abandoned. */
export type Abandoned = z.infer<typeof abandonedSchema>;
