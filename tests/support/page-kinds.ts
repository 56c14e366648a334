import { sports } from '@/lib/reference/schema/sports';
import type { VisitedSite } from './site-setup';
import { fullLeague, matches } from './site-matches';

/** A page of each kind that the site has; `own` is the address without what only changes its view, which its canonical link names. */
export type PageKind = { name: string; heading: string; path: (site: VisitedSite) => string; own: (site: VisitedSite) => string };

const always = (path: string) => () => path;
const fixture = (name: keyof typeof matches) => (site: VisitedSite) => `/fixture/${site.references[name]}`;
const versus = ({ home, away }: { home: string; away: string }) => `${home} v ${away}`;

const enabledSports = sports.filter(({ enabled }) => enabled);

/** Every kind of page, each sport's among them. */
export const pageKinds: readonly PageKind[] = [
  { name: 'the home page', heading: 'Today’s card, and the week ahead', path: always('/'), own: always('/') },
  { name: 'the page of all fixtures', heading: 'Fixtures', path: always('/fixture'), own: always('/fixture') },
  ...enabledSports.map(({ reference, name }) => ({ name: `the page of ${name}`, heading: name, path: always(`/${reference}`), own: always(`/${reference}`) })),
  { name: 'a sport within a league', heading: fullLeague.name, path: always(`/football?league=${fullLeague.reference}`), own: always('/football') },
  { name: 'a sport within 31 days', heading: 'Football', path: always('/football?days=31'), own: always('/football') },
  { name: 'earlier results of a league', heading: fullLeague.name, path: ({ earlierResults }) => earlierResults, own: always('/football') },
  { name: 'the fixture with odds', heading: versus(matches.soon), path: fixture('soon'), own: fixture('soon') },
  { name: 'the fixture in fractional odds', heading: versus(matches.soon), path: (site) => `${fixture('soon')(site)}?odds=fraction`, own: fixture('soon') },
  { name: 'the fixture in US odds', heading: versus(matches.soon), path: (site) => `${fixture('soon')(site)}?odds=US`, own: fixture('soon') },
  { name: 'the fixture without odds', heading: versus(matches.unpriced), path: fixture('unpriced'), own: fixture('unpriced') },
  { name: 'the played fixture', heading: `${matches.played.home} 2–1 ${matches.played.away}`, path: fixture('played'), own: fixture('played') },
  { name: 'the fixture whose result is awaited', heading: versus(matches.awaited), path: fixture('awaited'), own: fixture('awaited') },
  { name: 'the fixture of long names', heading: versus(matches.long), path: fixture('long'), own: fixture('long') },
];
