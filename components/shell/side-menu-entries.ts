import { routes } from '@/lib/routes';
import type { StaffPage } from '@/lib/staff/schema';

/** One entry of the side menu (spec §2.2). */
export type SideMenuEntry = {
  href: string;
  title: string;
  icon?: { src: string; whiteSrc: string };
  group: 'Account' | 'Latest' | 'Tips' | 'Sports' | 'Reading' | StaffPage['group'];
  /** True for an entry that shows only once 'More options' is opened. */
  expanded: boolean;
  /** Where the entry shows: only in the installed app, only outside it, or in both. */
  display: 'installed' | 'browser' | 'both';
};

type MenuSport = { reference: string; name: string; enabled: boolean; rank: number };

const entry = (
  group: SideMenuEntry['group'],
  href: string,
  title: string,
  picture: string,
  more: Partial<SideMenuEntry> = {},
): SideMenuEntry => ({
  href,
  title,
  icon: { src: `/images/menu/${picture}.svg`, whiteSrc: `/images/menu/${picture}-white.svg` },
  group,
  expanded: false,
  display: 'both',
  ...more,
});

const first: SideMenuEntry[] = [
  entry('Latest', '/dashboard', 'Account Dashboard', 'dashboard', { display: 'installed' }),
  entry('Latest', routes.home(), 'Popular & Latest', 'latest'),
  entry('Latest', '/tip-of-the-day', 'Free Tip of the Day', 'tip-of-the-day'),
  entry('Latest', '/articles', 'News & Articles', 'articles'),
];

const tips: SideMenuEntry[] = [
  entry('Tips', routes.tipsters(), 'Tipsters', 'tipsters'),
  entry('Tips', routes.fixtures(), 'Fixtures', 'fixtures'),
  entry('Tips', routes.ledger(), 'The Record', 'record'),
];

const reading: SideMenuEntry[] = [
  entry('Reading', '/bookmaker-reviews', 'Bookmaker Reviews', 'bookmaker-reviews'),
  entry('Reading', '/betting-guides', 'Betting Guides', 'betting-guides'),
  entry('Reading', '/betting-terms', 'Betting Terms', 'betting-terms', { display: 'browser' }),
  entry('Reading', '/bet-types', 'Bet Types', 'bet-types', { display: 'browser' }),
  entry('Reading', '/betting-strategies', 'Betting Strategies', 'betting-strategies', { display: 'browser' }),
  entry('Reading', '/betting-scams', 'Betting Scams', 'betting-scams', { expanded: true }),
];

const shownSports = [
  ['football', 'Football'],
  ['horse-racing', 'Horse racing'],
  ['tennis', 'Tennis'],
  ['american-football', 'American football'],
  ['basketball', 'Basketball'],
] as const;

/** Where the icons of sports lie unless the installation names another place. */
export const packagedSportIcons = '/images/sports';

const sportEntry = (reference: string, title: string, icons: string, expanded: boolean): SideMenuEntry => ({
  href: routes.sport(reference),
  title,
  icon: { src: `${icons}/${reference}.svg`, whiteSrc: `${icons}/${reference}-white.svg` },
  group: 'Sports',
  expanded,
  display: 'both',
});

/** The entries outside 'More options', known without the list of sports: the error pages run in the browser and stay light. */
export const shownEntries: SideMenuEntry[] = [
  ...first,
  ...tips,
  ...shownSports.map(([reference, title]) => sportEntry(reference, title, packagedSportIcons, false)),
  ...reading.filter(({ expanded }) => !expanded),
];

function place(sport: MenuSport): number {
  const index = shownSports.findIndex(([reference]) => reference === sport.reference);
  return index < 0 ? shownSports.length + sport.rank : index;
}

/** The whole side menu: the fixed entries and one for every enabled sport, the shown ones first, the others by rank; `icons` is where the sports' icons lie. */
export function sideMenuEntries(sports: readonly MenuSport[], icons = packagedSportIcons): SideMenuEntry[] {
  const sportEntries = sports
    .filter((sport) => sport.enabled)
    .toSorted((a, b) => place(a) - place(b))
    .map((sport) => sportEntry(sport.reference, sport.name, icons, place(sport) >= shownSports.length));
  return [...first, ...tips, ...sportEntries, ...reading];
}

const roots: readonly string[] = [routes.home(), routes.admin()];

/** Spec §2.2: true on the page of the entry and on the pages under it, of a sport also where tips on it are added; pages under a root have entries of their own. */
export function isActiveEntry({ href, group }: SideMenuEntry, activePath: string | null): boolean {
  if (activePath === null) return false;
  return (
    activePath === href ||
    (!roots.includes(href) && activePath.startsWith(`${href}/`)) ||
    (group === 'Sports' && activePath === `${routes.addTips()}${href}`)
  );
}
