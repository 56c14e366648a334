import { canReadPremium } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import type { PostView } from './schema';

type Portfolio = { id: number };
type Selling = { visibility: PortfolioVisibility; sells: boolean };

type AttachedTip = { free: boolean; hidden: boolean; firstStartsAt: Date };

/** Product §8: why nothing can be published for the members of this portfolio, or null: who locks something must sell what opens it. */
export function whyNotForMembers({ visibility, sells }: Selling): string | null {
  if (sells) return null;
  if (visibility === PortfolioVisibility.premium)
    return 'this portfolio has no plan on sale, so that nobody could open it: put a plan on sale in its settings first';
  return 'only a premium portfolio has members: publish the post for everybody, or make the portfolio premium first';
}

/** Ours: who can read what is published in this portfolio, for its author; null where they choose. */
export function whoReadsPosts(portfolio: Selling): string | null {
  if (portfolio.visibility === PortfolioVisibility.personal)
    return 'You alone can read this post: its portfolio is personal.';
  if (portfolio.sells) return null;
  const sale =
    portfolio.visibility === PortfolioVisibility.premium
      ? 'put a plan on sale in the portfolio’s settings'
      : 'make the portfolio premium and put a plan on sale';
  return `Everybody can read this post. To write for members only, ${sale} first.`;
}

/** How many tips of a post are open to whoever it is shown to. */
export const openTips = ({ tipItems }: Pick<PostView, 'tipItems'>): number =>
  tipItems.filter(({ lock }) => lock === null).length;

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
