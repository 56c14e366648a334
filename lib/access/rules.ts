import { PortfolioVisibility, Role } from '@/lib/reference/schema/enumerations';
import type { Viewer } from './schema';

type Owned = { id: number; visibility: PortfolioVisibility; tipledgerPro: boolean };

/** Spec §6: true for admins and super admins. */
export function isStaff(viewer: Viewer): boolean {
  return viewer.kind === 'member' && (viewer.role === Role.admin || viewer.role === Role.superAdmin);
}

/** True when the viewer owns the portfolio. */
export function isOwner(viewer: Viewer, portfolio: Pick<Owned, 'id'>): boolean {
  return viewer.kind === 'member' && viewer.owns.includes(portfolio.id);
}

/** Product §2: a personal portfolio exists for its owner and staff alone; a hidden one for whoever knows its address. */
export function canSeePortfolio(viewer: Viewer, portfolio: Owned): boolean {
  return portfolio.visibility !== PortfolioVisibility.personal || isOwner(viewer, portfolio) || isStaff(viewer);
}

/** Spec §4, premium content access: an active subscription, a pro membership, a staff role, or ownership. */
export function canReadPremium(viewer: Viewer, portfolio: Owned): boolean {
  if (viewer.kind === 'guest') return false;
  return viewer.subscribes.includes(portfolio.id) || (viewer.pro && portfolio.tipledgerPro) || isStaff(viewer) || isOwner(viewer, portfolio);
}
