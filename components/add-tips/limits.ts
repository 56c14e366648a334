import type { portfolioLimits } from '@/lib/portfolios/schema';
import type { PortfolioVisibility } from '@/lib/reference/schema';
import type { maxAnalysis } from '@/lib/tips/schema';

// Spelt out, since the schemas would bring their validation library; the types hold that they are the same.
export const longestAnalysis = 10_000 satisfies typeof maxAnalysis;
export const longestDescription = 4_000 satisfies (typeof portfolioLimits)['longestDescription'];
export const PortfolioKind = { personal: 0, premium: 2 } as const satisfies Partial<typeof PortfolioVisibility>;

/** Product §5: the bounds of a stake. */
export const leastUnits = 0.1;
export const mostUnits = 10;
