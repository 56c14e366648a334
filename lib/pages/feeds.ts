import { env } from '@/lib/platform/env';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import type { PageFeed } from './page';

/** The media types of what other programs take of the site. */
export const feedTypes = {
  rss: 'application/rss+xml',
  json: 'application/feed+json',
  calendar: 'text/calendar',
  oEmbed: 'application/json+oembed',
} as const;

const both = (title: string, at: (format: 'xml' | 'json') => string): PageFeed[] => [
  { type: feedTypes.rss, title, path: at('xml') },
  { type: feedTypes.json, title, path: at('json') },
];

/** The feeds of the articles. */
export const articleFeeds = both('Articles on Tipledger', (format) => routes.feed('articles', format));

/** The feeds of the tips that everybody may read today. */
export const dailyTipFeeds = both('Free betting tips of the day', (format) => routes.feed('tips-of-the-day', format));

/** The feeds of the whole site. */
export const homeFeeds: readonly PageFeed[] = [...dailyTipFeeds, ...articleFeeds];

/** The feeds and the calendar of a sport, with the calendar of a league where one is shown. */
export function sportFeeds(
  { sportReference, sportName }: { sportReference: string; sportName: string },
  league?: { reference: string; name: string },
): PageFeed[] {
  return [
    ...both(`${sportName} tips and articles`, (format) => routes.feed(sportReference, format)),
    { type: feedTypes.calendar, title: `${sportName} fixtures`, path: routes.calendar(sportReference) },
    ...(league
      ? [{ type: feedTypes.calendar, title: `${league.name} fixtures`, path: routes.leagueCalendar(league.reference) }]
      : []),
  ];
}

/** The feeds of a portfolio, and how its record is shown on other sites; none of a personal one. */
export function portfolioFeeds({
  reference,
  name,
  type,
}: Pick<PortfolioView, 'reference' | 'name' | 'type'>): PageFeed[] {
  if (type === PortfolioVisibility.personal) return [];
  return [
    ...both(`${name}: tips and posts`, (format) => routes.portfolioFeed(reference, format)),
    {
      type: feedTypes.oEmbed,
      title: `The record of ${name}`,
      path: routes.oEmbed(`${env().siteUrl}${routes.portfolio(reference)}`),
    },
  ];
}
