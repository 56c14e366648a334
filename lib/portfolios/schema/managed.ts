import { z } from 'zod';
import { portfolioVisibilitySchema } from '@/lib/reference/schema/enumerations';

/** Spec §3, portfolio (managed): what its owner is told beyond what everybody may know. The stake is in units. */
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
  welcomeMessage: z.string(),
  premiumWelcomeMessage: z.string(),
  defaultTipStake: z.number(),
  couponId: z.int().nullable(),
  tipledgerPro: z.boolean(),
  description: z.string(),
  demo: z.boolean(),
});

/** A portfolio as its owner manages it. */
export type ManagedPortfolio = z.infer<typeof managedPortfolioSchema>;
