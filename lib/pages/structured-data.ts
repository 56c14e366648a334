import { breadcrumbData, type StructuredData } from '@/lib/content/rules';
import { dayOfFixture, isPostponed } from '@/lib/fixtures/rules';
import type { FixtureDetail, FixtureView } from '@/lib/fixtures/schema';
import { racingSports } from '@/lib/odds/rules';
import { env } from '@/lib/platform/env';
import type { PortfolioView } from '@/lib/portfolios/schema';
import type { PostView } from '@/lib/posts/schema';
import { routes } from '@/lib/routes';
import type { TipView } from '@/lib/tips/schema';
import { fixtureWords, postWords, tipHeading, tipWords } from './titles';

const context = 'https://schema.org' as const;
const absolute = (path: string) => `${env().siteUrl}${path}`;

/** Where a page stands: the pages above it and itself. */
export function trailData(trail: readonly { href: string; title: string }[]): StructuredData {
  return breadcrumbData(trail, env().siteUrl);
}

/** The site, its search and who runs it, for the home page. */
export function siteData(description: string): StructuredData[] {
  const url = absolute(routes.home());
  return [
    {
      '@context': context,
      '@type': 'WebSite',
      name: 'Tipledger',
      url,
      description,
      inLanguage: 'en-GB',
      potentialAction: {
        '@type': 'SearchAction',
        // The braces stand for what is searched, and are not encoded.
        target: { '@type': 'EntryPoint', urlTemplate: `${absolute(routes.search())}?q={search_term_string}` },
        'query-input': 'required name=search_term_string',
      },
    },
    {
      '@context': context,
      '@type': 'Organization',
      name: 'Tipledger',
      url,
      logo: absolute('/icons/icon-512.png'),
      description,
    },
  ];
}

/** Pages in the order in which a page lists them; nothing of none. */
export function listData(name: string, items: readonly { name: string; path: string }[]): StructuredData[] {
  if (items.length === 0) return [];
  const list: StructuredData = {
    '@context': context,
    '@type': 'ItemList',
    name,
    numberOfItems: items.length,
    itemListElement: items.map((item, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: item.name,
      url: absolute(item.path),
    })),
  };
  return [list];
}

/** Fixtures in the order in which a page lists them. */
export const fixtureListData = (name: string, fixtures: readonly Pick<FixtureView, 'name' | 'reference'>[]) =>
  listData(
    name,
    fixtures.map((fixture) => ({ name: fixture.name, path: routes.fixture(fixture.reference) })),
  );

const byPeople: readonly string[] = ['tennis', 'boxing', 'mma', 'snooker', 'darts', 'golf', 'motor-racing'];
const byAnimals: readonly string[] = ['horse-racing', 'greyhounds'];

/** A fixture with who meets, when, and where as far as that is known; offers are for shops. */
export function fixtureData(fixture: FixtureDetail, image: string): StructuredData {
  const { name, sportReference, sportName, startsAt, startTimeKnown, home, away, runners, league, score } = fixture;
  const type = byPeople.includes(sportReference) ? 'Person' : 'SportsTeam';
  const side = ({ name: own }: { name: string }) => ({ '@type': type, name: own });
  const present = runners.filter(({ withdrawal }) => withdrawal === null);
  const place = racingSports.includes(sportReference) ? league.name : league.territory;
  return {
    '@context': context,
    '@type': 'SportsEvent',
    name,
    description: fixtureWords(fixture).description,
    url: absolute(routes.fixture(fixture.reference)),
    image: absolute(image),
    sport: sportName,
    startDate: startTimeKnown ? startsAt : dayOfFixture(fixture),
    eventStatus: `${context}/${score.abandoned ? 'EventCancelled' : isPostponed(score) ? 'EventPostponed' : 'EventScheduled'}`,
    eventAttendanceMode: `${context}/OfflineEventAttendanceMode`,
    ...(place ? { location: { '@type': 'Place', name: place, address: league.territory ?? place } } : {}),
    ...(home && away ? { homeTeam: side(home), awayTeam: side(away), competitor: [side(home), side(away)] } : {}),
    ...(present.length > 0 && !byAnimals.includes(sportReference) ? { competitor: present.map(side) } : {}),
    superEvent: { '@type': 'SportsEvent', name: [league.name, fixture.season].filter(Boolean).join(' ') },
  };
}

const tipster = ({ name, reference }: { name: string; reference: string }) => ({
  '@type': 'Person',
  name,
  url: absolute(routes.portfolio(reference)),
});

/** Who is behind a record. */
export function tipsterData(
  portfolio: PortfolioView,
  { description, image }: { description: string; image: string },
): StructuredData {
  return {
    '@context': context,
    '@type': 'ProfilePage',
    url: absolute(routes.portfolio(portfolio.reference)),
    dateCreated: portfolio.createdAt,
    mainEntity: {
      ...tipster(portfolio),
      alternateName: portfolio.owner,
      identifier: portfolio.reference,
      description,
      image: absolute(image),
      interactionStatistic: {
        '@type': 'InteractionCounter',
        interactionType: `${context}/FollowAction`,
        userInteractionCount: portfolio.followers,
      },
    },
  };
}

/** A tip as what its tipster said in public; none of one that is locked to a guest, by whose view it must be given. */
export function tipData(tip: TipView, image: string): StructuredData[] {
  if (tip.lock !== null) return [];
  return [
    {
      '@context': context,
      '@type': 'DiscussionForumPosting',
      headline: tipHeading(tip),
      text: [tipWords(tip).description, tip.analysis].filter(Boolean).join('\n\n'),
      url: absolute(routes.tip(tip.portfolioReference, tip.reference)),
      image: absolute(image),
      datePublished: tip.publishedAt,
      author: tipster({ name: tip.portfolioName, reference: tip.portfolioReference }),
      about: tip.legs.map((leg) => ({
        '@type': 'SportsEvent',
        name: leg.fixtureName,
        startDate: leg.startsAt,
        url: absolute(routes.fixture(leg.fixtureReference)),
      })),
    },
  ];
}

/** A post as an article of its tipster; none of one that is locked to a guest, by whose view it must be given. */
export function postData(post: PostView, image: string): StructuredData[] {
  if (post.lock !== null) return [];
  return [
    {
      '@context': context,
      '@type': 'Article',
      headline: post.title,
      description: postWords(post).description,
      image: absolute(image),
      datePublished: post.publishedAt,
      dateModified: post.editedAt ?? post.publishedAt,
      inLanguage: 'en-GB',
      mainEntityOfPage: absolute(routes.post(post.portfolioReference, post.reference)),
      author: tipster({ name: post.portfolioName, reference: post.portfolioReference }),
      publisher: { '@type': 'Organization', name: 'Tipledger', url: absolute(routes.home()) },
    },
  ];
}
