import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import type { Access, Viewer } from './schema';

type Owned = { id: number; visibility: PortfolioVisibility };

/** Spec §6: true for admins and super admins. */
export function isStaff(viewer: Viewer): boolean {
  return viewer.kind === 'member' && (viewer.role === Role.admin || viewer.role === Role.superAdmin);
}

/** Spec §4: which side menu an area of staff has for the viewer. */
export function adminSidebar(viewer: Viewer): 'admin' | 'super-admin' | 'none' {
  if (!isStaff(viewer)) return 'none';
  return viewer.kind === 'member' && viewer.role === Role.superAdmin ? 'super-admin' : 'admin';
}

/** True when the viewer owns the portfolio. */
export function isOwner(viewer: Viewer, portfolio: Pick<Owned, 'id'>): boolean {
  return viewer.kind === 'member' && viewer.owns.includes(portfolio.id);
}

/** Product §2: a personal portfolio exists for its owner and staff alone; a hidden one for whoever knows its address. */
export function canSeePortfolio(viewer: Viewer, portfolio: Owned): boolean {
  return portfolio.visibility !== PortfolioVisibility.personal || isOwner(viewer, portfolio) || isStaff(viewer);
}

/** Spec §4, premium content access: an active subscription, a pro membership for the portfolios of its team, preview mode, a staff role, or ownership. */
export function canReadPremium(viewer: Viewer, portfolio: Pick<Owned, 'id'>): boolean {
  if (viewer.preview) return true;
  if (viewer.kind === 'guest') return false;
  return (
    viewer.subscribes.includes(portfolio.id) ||
    viewer.team.includes(portfolio.id) ||
    isStaff(viewer) ||
    isOwner(viewer, portfolio)
  );
}

/** The portfolios, by id, of which a member reads what is for members: their own, those they have joined, and their team's. */
export function openedTo(viewer: Viewer): number[] {
  if (viewer.kind === 'guest') return [];
  return [...new Set([...viewer.owns, ...viewer.subscribes, ...viewer.team])].sort((one, other) => one - other);
}

/** What a guest is told who asks for what is for members. */
export const signInFirst = 'Sign in, then send the request again.';

/** Why a viewer may not make a call, null when the call is open to them: `unauthorised` can be mended by signing in, `forbidden` cannot. */
export function whyNotAllowed(
  viewer: Viewer,
  access: Access,
): { kind: 'unauthorised' | 'forbidden'; message: string } | null {
  if (access === 'unidentified' || access === 'public') return null;
  if (viewer.kind === 'guest') return { kind: 'unauthorised', message: signInFirst };
  if (access === 'confirmed' && !viewer.confirmed)
    return {
      kind: 'forbidden',
      message: 'Confirm your e-mail address first: enter the code that we sent you at /register/verify.',
    };
  if (access === 'staff-entry' || access === 'staff' || access === 'super-admin') {
    if (!isStaff(viewer))
      return { kind: 'forbidden', message: 'This is for staff. Ask a super admin for the role if it should be yours.' };
    if (viewer.suspended) return { kind: 'forbidden', message: suspendedMessage };
  }
  if (access === 'super-admin' && viewer.role !== Role.superAdmin)
    return { kind: 'forbidden', message: 'This is for super admins. Ask one to do it.' };
  if ((access === 'staff' || access === 'super-admin') && !viewer.proven)
    return { kind: 'forbidden', message: 'Enter your second-factor code first: open /admin.' };
  return null;
}

const suspendedMessage =
  'Your account is suspended: you can read, but not do this. The dashboard says why, and what you still can do; write to us at /contact-us.';

/** Product §11: why a viewer may not write now, null for whoever is not suspended. */
export function whyNotWriting(viewer: Viewer): { kind: 'forbidden'; message: string } | null {
  return viewer.kind === 'member' && viewer.suspended ? { kind: 'forbidden', message: suspendedMessage } : null;
}

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]/u;
const mostDecodings = 8;

/**
 * Product §2: the path of this site that a parameter asks for, or null when some reader could take it for anywhere else: one leading slash, no
 * second slash, no backslash, no scheme, no control or invisible characters, however often it is decoded.
 */
export function safeRedirect(path: string | null | undefined): string | null {
  if (!path || path.length > 2_000 || unseen.test(path)) return null;
  let read = path.split(/[?#]/, 1)[0] ?? '';
  for (let decodings = 0; decodings <= mostDecodings; decodings += 1) {
    if (!staysHere(read) || !staysHere(read.normalize('NFKC'))) return null;
    const decoded = decode(read);
    if (decoded === read) return resolvesToItself(path) ? path : null;
    if (decoded === null) return null;
    read = decoded;
  }
  return null;
}

function staysHere(path: string): boolean {
  return path.startsWith('/') && !path.includes('//') && !path.includes(':') && !unseen.test(path);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const somewhere = 'https://site.invalid';

// The last word has the reader that browsers use: dots would lead to another path than the one that was looked at.
function resolvesToItself(path: string): boolean {
  const url = new URL(path, somewhere);
  return url.origin === somewhere && url.username === '' && url.pathname === path.split(/[?#]/, 1)[0];
}
