import { routes } from '@/lib/routes';

export type SideMenuGroup = 'Latest' | 'Sports' | 'Reading' | 'Account';

/** One entry of the side menu (spec §2.2); `expanded` entries show only once 'More options' is opened. */
export type SideMenuEntry = { href: string; title: string; iconUrl?: string; group: SideMenuGroup; expanded: boolean };

type MenuSport = { reference: string; name: string; enabled: boolean; rank: number; imageUrl: string };

const latest: SideMenuEntry = {
  href: routes.home(),
  title: 'Popular & Latest',
  iconUrl: '/images/menu/latest.svg',
  group: 'Latest',
  expanded: false,
};

const shownSports = [
  ['football', 'Football'],
  ['horse-racing', 'Horse racing'],
  ['tennis', 'Tennis'],
  ['american-football', 'American football'],
  ['basketball', 'Basketball'],
] as const;

/** The entries outside 'More options', known without the list of sports: the error pages run in the browser and stay light. */
export const shownEntries: SideMenuEntry[] = [
  latest,
  ...shownSports.map(([reference, title]): SideMenuEntry => ({
    href: routes.sport(reference),
    title,
    iconUrl: `/images/sports/${reference}.svg`,
    group: 'Sports',
    expanded: false,
  })),
];

function place(sport: MenuSport): number {
  const index = shownSports.findIndex(([reference]) => reference === sport.reference);
  return index < 0 ? shownSports.length + sport.rank : index;
}

/** The whole side menu: the fixed entries and one for every enabled sport, the shown ones first, the others by rank. */
export function sideMenuEntries(sports: readonly MenuSport[]): SideMenuEntry[] {
  const sportEntries = sports
    .filter((sport) => sport.enabled)
    .toSorted((a, b) => place(a) - place(b))
    .map((sport): SideMenuEntry => ({
      href: routes.sport(sport.reference),
      title: sport.name,
      iconUrl: sport.imageUrl,
      group: 'Sports',
      expanded: place(sport) >= shownSports.length,
    }));
  return [latest, ...sportEntries];
}

/** True on the page of the entry and on the pages under it. */
export function isActiveEntry(entry: SideMenuEntry, activePath: string | null): boolean {
  if (activePath === null) return false;
  return activePath === entry.href || (entry.href !== routes.home() && activePath.startsWith(`${entry.href}/`));
}
