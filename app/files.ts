import type { Call } from '@/lib/api/handle';
import type { Method } from '@/lib/calls';
import * as sportCalendar from './calendars/[file]/route';
import * as leagueCalendar from './calendars/league/[file]/route';
import * as feed from './feeds/[file]/route';
import * as portfolioFeed from './feeds/tipster/[file]/route';
import * as oEmbed from './oembed/route';
import * as portfolioLedger from './portfolio/[reference]/ledger/route';
import * as robots from './robots.txt/route';
import * as sitemapNews from './sitemap-news.xml/route';
import * as sitemapPart from './sitemap-part.xml/route';
import * as sitemap from './sitemap.xml/route';
import * as badgePicture from './tipster/[portfolioReference]/badge.svg/route';
import * as badge from './tipster/[portfolioReference]/badge/route';

/** Every file that is made for a request, by its path; a test holds this table against the route files beside app/api. */
export const files = {
  '/robots.txt': robots,
  '/sitemap.xml': sitemap,
  '/sitemap-part.xml': sitemapPart,
  '/sitemap-news.xml': sitemapNews,
  '/feeds/{file}': feed,
  '/feeds/tipster/{file}': portfolioFeed,
  '/calendars/{file}': sportCalendar,
  '/calendars/league/{file}': leagueCalendar,
  '/oembed': oEmbed,
  '/tipster/{portfolioReference}/badge.svg': badgePicture,
  '/tipster/{portfolioReference}/badge': badge,
  '/portfolio/{reference}/ledger': portfolioLedger,
} satisfies Record<string, Partial<Record<Method, Call>>>;
