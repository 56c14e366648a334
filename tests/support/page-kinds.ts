import { slug } from '@/lib/reference/rules';
import { sports } from '@/lib/reference/schema';
import { sections } from '@/lib/content/schema';
import { routes } from '@/lib/routes';
import { filledSections, ownPages } from './content-pages';
import type { VisitedSite } from './site-setup';
import { fullLeague, matches } from './site-matches';
import { portfolios, posts, type SitePosts, type SiteTips, tips } from './site-tips';

/** A page of each kind that the site has; `own` is the address without what only changes its view, which its canonical link names; what is `alike` another kind is asked for, and looked at there. */
export type PageKind = {
  name: string;
  heading: string | RegExp;
  path: (site: VisitedSite) => string;
  own: (site: VisitedSite) => string;
  alike?: boolean;
};

const always = (path: string) => () => path;
const teamPath = routes.team('football', slug(matches.played.home));
const fixture = (name: keyof typeof matches) => (site: VisitedSite) => `/fixture/${site.references[name]}`;
const tip = (name: keyof SiteTips) => (site: VisitedSite) =>
  `/tipster/${portfolios[tips[name].portfolio].reference}/tips/${site.tips[name]}`;
const post = (name: keyof SitePosts) => (site: VisitedSite) =>
  routes.post(portfolios[posts[name].portfolio].reference, site.posts[name]);
const recordOf = (name: keyof SiteTips) => (site: VisitedSite) => `/ledger?tip=${site.tips[name]}`;
const versus = ({ home, away }: { home: string; away: string }) => `${home} v ${away}`;
const toBeat = ({ home, away }: { home: string; away: string }) => `${home} to beat ${away}`;

const tipKind = (what: string, name: keyof SiteTips, heading: string): PageKind => ({
  name: what,
  heading,
  path: tip(name),
  own: tip(name),
});

const postKind = (what: string, name: keyof SitePosts): PageKind => ({
  name: what,
  heading: posts[name].title,
  path: post(name),
  own: post(name),
});

function portfolioKinds(kind: 'public' | 'premium' | 'empty'): PageKind[] {
  const { name, reference } = portfolios[kind];
  return ['', '/stats', '/results', '/tips', '/posts'].map((page) => {
    const path = always(`/tipster/${reference}${page}`);
    return {
      name: `the ${page.slice(1) || 'profile'} of the ${kind} portfolio`,
      heading: name,
      path,
      own: path,
      alike: kind !== 'public' && ['/stats', '/results', '/posts'].includes(page),
    };
  });
}

const at = (name: string, heading: string, path: string): PageKind => ({
  name,
  heading,
  path: always(path),
  own: always(path),
});

/** Each section of content, its longest page, and every page that stands alone. */
const contentPageKinds: readonly PageKind[] = [
  ...filledSections.flatMap((kind) => {
    const [longest] = ownPages(kind);
    // The other sections are laid out as the guides are.
    const alike = ['betting-scams', 'betting-strategies', 'bet-types'].includes(kind);
    return [
      { ...at(`the index of ${kind}`, sections[kind].title, routes.section(kind)), alike },
      ...(longest
        ? [{ ...at(`a page of ${kind}`, longest.title, routes.content(kind, longest.reference)), alike }]
        : []),
    ];
  }),
  ...ownPages('pages').map(({ reference, title }, place) => ({
    ...at(`the page ${reference}`, title, routes.content('pages', reference)),
    alike: place > 0,
  })),
  at('the page licences', 'Licences of what we use', routes.content('pages', 'licences')),
];

// A field sport, racing, a sport of two and one without fixtures show all that a sport's page can hold.
const lookedAt = ['football', 'horse-racing', 'tennis', 'golf'];
const enabledSports = sports.filter(({ enabled }) => enabled);

/** Every kind of page, each sport's among them. */
export const pageKinds: readonly PageKind[] = [
  { name: 'the home page', heading: 'Tips you can verify', path: always('/'), own: always('/') },
  { name: 'the page of all fixtures', heading: 'Fixtures', path: always('/fixture'), own: always('/fixture') },
  ...enabledSports.map(({ reference, name }) => ({
    name: `the page of ${name}`,
    heading: name,
    path: always(`/${reference}`),
    own: always(`/${reference}`),
    alike: !lookedAt.includes(reference),
  })),
  {
    name: 'a league',
    heading: fullLeague.name,
    path: always(`/football/league/${fullLeague.reference}`),
    own: always(`/football/league/${fullLeague.reference}`),
  },
  {
    name: 'a team',
    heading: matches.played.home,
    path: always(teamPath),
    own: always(teamPath),
  },
  {
    name: 'a sport within 31 days',
    heading: 'Football',
    path: always('/football?days=31'),
    own: always('/football'),
    alike: true,
  },
  {
    name: 'earlier results of a league',
    heading: fullLeague.name,
    path: ({ earlierResults }) => earlierResults,
    own: always(`/football/league/${fullLeague.reference}`),
    alike: true,
  },
  { name: 'the fixture with odds', heading: versus(matches.soon), path: fixture('soon'), own: fixture('soon') },
  {
    name: 'the fixture in fractional odds',
    heading: versus(matches.soon),
    path: (site) => `${fixture('soon')(site)}?odds=fraction`,
    own: fixture('soon'),
    alike: true,
  },
  {
    name: 'the fixture in US odds',
    heading: versus(matches.soon),
    path: (site) => `${fixture('soon')(site)}?odds=US`,
    own: fixture('soon'),
    alike: true,
  },
  {
    name: 'the fixture without odds',
    heading: versus(matches.unpriced),
    path: fixture('unpriced'),
    own: fixture('unpriced'),
  },
  {
    name: 'the played fixture',
    heading: `${matches.played.home} 2–1 ${matches.played.away}`,
    path: fixture('played'),
    own: fixture('played'),
  },
  {
    name: 'the fixture whose result is awaited',
    heading: versus(matches.awaited),
    path: fixture('awaited'),
    own: fixture('awaited'),
  },
  { name: 'the fixture of long names', heading: versus(matches.long), path: fixture('long'), own: fixture('long') },
  {
    name: 'the comparison of tipsters',
    heading: 'Tipsters compared',
    path: always('/tipster'),
    own: always('/tipster'),
  },
  {
    name: 'a comparison that finds some',
    heading: 'All tipsters – all time',
    path: always('/tipster?sportId=0&portfolioType=0&period=6&tips=1'),
    own: always('/tipster'),
  },
  at('a ranking of tipsters that finds none', 'Best yield, all time', '/tipster?tips=45&order=1&period=6'),
  at('the choice of tipsters to compare', 'Tipsters side by side', '/tipster/compare'),
  at(
    'tipsters side by side',
    `${portfolios.public.name} v ${portfolios.premium.name}`,
    routes.compareTipsters([portfolios.premium.reference, portfolios.public.reference].toSorted()),
  ),
  ...portfolioKinds('public'),
  {
    name: 'the record of a month',
    heading: portfolios.public.name,
    path: always(`/tipster/${portfolios.public.reference}?period=2`),
    own: always(`/tipster/${portfolios.public.reference}`),
    alike: true,
  },
  ...portfolioKinds('premium'),
  ...portfolioKinds('empty'),
  tipKind('the tip that won', 'won', toBeat(matches.played)),
  tipKind('the accumulator', 'accumulator', `Double by ${portfolios.public.name}`),
  tipKind('the tip that waits for its result', 'awaited', toBeat(matches.awaited)),
  tipKind('the tip that is open', 'open', toBeat(matches.soon)),
  tipKind('the tip that is hidden until its start', 'hidden', `A tip by ${portfolios.public.name}`),
  tipKind('the tip that is for members', 'members', `A tip by ${portfolios.premium.name}`),
  postKind('the post with tips', 'open'),
  postKind('the post that is for members', 'members'),
  { name: 'the record', heading: 'The record', path: always('/ledger'), own: always('/ledger') },
  {
    name: 'one tip on the record',
    heading: /^Tip [a-z0-9]{10} on the record$/,
    path: recordOf('won'),
    own: recordOf('won'),
  },
  { name: 'the search before anything is asked', heading: 'Search', path: always('/search'), own: always('/search') },
  {
    name: 'a search for what a tipster is called',
    heading: 'Search',
    path: always('/search?q=Ann+Football'),
    own: always('/search'),
  },
  {
    name: 'a search for what nothing is called',
    heading: 'Search',
    path: always('/search?q=%3Cb%3Ezzyzx'),
    own: always('/search'),
  },
  ...contentPageKinds,
];
