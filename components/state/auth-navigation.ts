import { routes } from '@/lib/routes';
import { recall, remember } from './tab-storage';

const pathBeforeKey = 'tipledger:path-before';

/** The address shown, path and query. */
export function addressNow(): string {
  return `${location.pathname}${location.search}`;
}

/** Leaves for another page of the site as a new document, so that nothing of who was looking before stays in memory. */
export function leaveFor(address: string): void {
  location.assign(address);
}

/** Spec §2.4, unauthorised handling: to sign in and back from a protected path, to the dashboard from any other; whoever is asked to sign in already stays, with where they go on to. */
export async function leaveAsUnauthorised(): Promise<void> {
  if (location.pathname === routes.login()) return;
  const { unauthorisedTarget } = await import('@/lib/route-table');
  leaveFor(unauthorisedTarget(addressNow()));
}

/** After signing out: a page that only members, owners or staff see is left, as by whoever is unauthorised; any other stays. */
export async function leaveIfProtected(): Promise<void> {
  const { isProtectedPath, routeOf, unauthorisedTarget } = await import('@/lib/route-table');
  const access = routeOf(location.pathname)?.access ?? 'public';
  if (isProtectedPath(location.pathname) || access !== 'public') leaveFor(unauthorisedTarget(addressNow()));
}

const outboxPath = '/outbox';

/** Spec §4: where an unverified user is left alone. */
const contactPath = routes.content('pages', 'contact-us');

type Verification = { address: string; fromContact: boolean };

const pathOf = (address: string) => address.split('?')[0] ?? address;

const redirectIn = (address: string) => new URLSearchParams(address.split('?')[1] ?? '').get('redirect_to');

/**
 * Spec §4, unverified user: where somebody whose e-mail is not confirmed is sent from an address, or null where they are left alone. Ours (0066):
 * who signed in or up to come back somewhere comes back there.
 * `fromContact` is true when the page before was the contact page.
 */
function verificationTarget({ address, fromContact }: Verification): string | null {
  const path = pathOf(address);
  // The outbox is where the code is read on a site that sends no mail.
  if (path === routes.verify() || path === contactPath || path === outboxPath) return null;
  const isEntrance = path === routes.login() || path === routes.register();
  if (fromContact) return routes.verify({ redirect_after_verify: routes.dashboard() });
  const target = isEntrance ? (redirectIn(address) ?? routes.dashboard()) : address;
  return routes.verify({ redirect_after_verify: target });
}

/** `verificationTarget` from the page shown, which is remembered for the next one. */
export function verificationNow(): string | null {
  const fromContact = recall(pathBeforeKey) === contactPath;
  remember(pathBeforeKey, location.pathname);
  return verificationTarget({ address: addressNow(), fromContact });
}
