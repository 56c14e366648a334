import type { StaffPage } from '@/lib/staff/schema';
import { routes } from '@/lib/routes';
import type { SideMenuEntry } from '../shell/side-menu-entries';

type Place = { href: string; title: string; picture: string; group: SideMenuEntry['group'] };

const entry = ({ href, title, picture, group }: Place): SideMenuEntry => ({
  href,
  title,
  icon: { src: `/images/menu/${picture}.svg`, whiteSrc: `/images/menu/${picture}-white.svg` },
  group,
  expanded: false,
  display: 'both',
});

/** Spec §2.1: the side menu of admins or super admins, of the pages that are theirs, and the ways out of it. */
export function adminEntries(pages: readonly StaffPage[]): SideMenuEntry[] {
  return [
    ...pages.map(({ path, ...page }) => entry({ href: path, ...page })),
    entry({ href: routes.dashboard(), title: 'Account Dashboard', picture: 'dashboard', group: 'Account' }),
    entry({ href: routes.home(), title: 'The site', picture: 'latest', group: 'Account' }),
  ];
}
