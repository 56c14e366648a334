import { canReadPremium } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';

type Portfolio = { id: number; visibility: PortfolioVisibility; tipledgerPro: boolean };

type AttachedTip = { free: boolean; hidden: boolean; firstStartsAt: Date };

/** Ours: why nothing can be published for the members of this portfolio, or null: it must be able to have some. */
export function whyNotForMembers({
  visibility,
  tipledgerPro,
}: Pick<Portfolio, 'visibility' | 'tipledgerPro'>): string | null {
  if (visibility === PortfolioVisibility.premium || tipledgerPro) return null;
  return 'only a premium portfolio has members: publish the post for everybody, or make the portfolio premium first';
}

/** Ours: who can read what is published in this portfolio, for its author; null where they choose. */
export function whoReadsPosts(portfolio: Pick<Portfolio, 'visibility' | 'tipledgerPro'>): string | null {
  if (portfolio.visibility === PortfolioVisibility.personal)
    return 'You alone can read this post: its portfolio is personal.';
  const why = whyNotForMembers(portfolio);
  return why && `Everybody can read this post: ${why}.`;
}

/** Spec §4: true when the viewer may read the text of a post and know of its tips. */
export function canReadPost(viewer: Viewer, portfolio: Portfolio, { premiumOnly }: { premiumOnly: boolean }): boolean {
  return !premiumOnly || canReadPremium(viewer, portfolio);
}

/** Spec §5: a post that is not for members alone exposes only tips that are free or not hidden; to those who read the portfolio's premium content none is hidden, to nobody after its start. */
export function exposesTip(
  viewer: Viewer,
  portfolio: Portfolio,
  post: { premiumOnly: boolean },
  tip: AttachedTip,
  now: Date,
): boolean {
  if (canReadPremium(viewer, portfolio)) return true;
  const isHidden = tip.hidden && tip.firstStartsAt > now;
  return !post.premiumOnly && (tip.free || !isHidden);
}
