import { routes } from '@/lib/routes';
import type { SideMenuEntry } from '../shell/side-menu-entries';

const entry = (href: string, title: string, picture: string): SideMenuEntry => ({
  href,
  title,
  icon: { src: `/images/menu/${picture}.svg`, whiteSrc: `/images/menu/${picture}-white.svg` },
  group: 'Account',
  expanded: false,
  display: 'both',
});

/** The side menu of staff. */
export const adminEntries: SideMenuEntry[] = [
  entry(routes.admin(), 'Jobs', 'betting-strategies'),
  entry(routes.dashboard(), 'Account Dashboard', 'dashboard'),
  entry(routes.home(), 'The site', 'latest'),
];
