import type { Viewer } from '@/lib/access/schema';
import { getTerms } from '@/lib/memberships/queries';
import type { PlanPeriod, Terms } from '@/lib/memberships/schema';
import { isFailure } from '@/lib/platform/errors';

/** What a checkout shows: the terms of a plan, of Pro where no portfolio is named, and why its coupon is not taken where it is not. */
export async function quote(
  viewer: Viewer,
  portfolioReference: string | undefined,
  { period, coupon }: { period: PlanPeriod; coupon: string | undefined },
  now: Date,
): Promise<{ terms: Terms; problem: string | null }> {
  try {
    return { terms: await getTerms(viewer, portfolioReference, { period, coupon }, now), problem: null };
  } catch (error) {
    if (!isFailure(error, 'invalid')) throw error;
    return { terms: await getTerms(viewer, portfolioReference, { period }, now), problem: error.message };
  }
}
