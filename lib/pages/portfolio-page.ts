import type { Metadata } from 'next';
import { cache } from 'react';
import type { Viewer } from '@/lib/access/schema';
import { isFailure } from '@/lib/platform/errors';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { getPortfolio } from '@/lib/portfolios/queries';
import { PortfolioVisibility, TimeRange } from '@/lib/reference/schema';
import { excerptOf } from '@/lib/content/rules';
import { now as present } from '@/lib/platform/clock';
import { routes } from '@/lib/routes';
import { portfolioFeeds } from './feeds';
import { orNotFound, type PageFacts, type PageImage, pageMetadata, single } from './page';
import { pageViewer } from './page-viewer';
import { pageImage, siteImage } from './share-cards';
import { type PageWords, type PortfolioPageKind, portfolioWords } from './titles';
import { guest } from '@/lib/http/viewer';

/** A portfolio and for whom its page is made. */
export type PortfolioPage = { viewer: Viewer; portfolio: PortfolioView };

/**
 * The portfolio that a page is about, read once a request, and the guest whom the page is made for, since it is the same for everybody. Only
 * what no guest may see is made for whoever is signed in (product §2, 0036): a personal portfolio for its owner and staff; for others the 404 page.
 */
export const readPortfolioPage = cache(async (reference: string): Promise<PortfolioPage> => {
  const viewer = guest();
  try {
    return { viewer, portfolio: await getPortfolio(viewer, reference) };
  } catch (error) {
    if (!isFailure(error, 'missing')) throw error;
  }
  const own = await pageViewer();
  return { viewer: own, portfolio: await orNotFound(getPortfolio(own, reference)) };
});

/** The metadata of a portfolio's page; a hidden portfolio is for those who know its address, a personal one for its owner, and neither is in an index, nor is one that was abandoned. */
export function portfolioMetadata({ type, abandoned }: PortfolioView, facts: PageFacts): Metadata {
  const isListed = !abandoned && type !== PortfolioVisibility.hidden && type !== PortfolioVisibility.personal;
  return pageMetadata({ ...facts, index: isListed && facts.index !== false });
}

const aboutLength = 100;

/** What a page of a portfolio is called. */
export function portfolioPageWords(portfolio: PortfolioView, page: PortfolioPageKind): PageWords {
  return portfolioWords(portfolio, page, excerptOf(portfolio.description, aboutLength));
}

/** The picture of a portfolio; of a personal one that of the site, for nobody else may know its record. */
export async function portfolioImage({ type, reference }: PortfolioView, now: Date): Promise<PageImage> {
  return type === PortfolioVisibility.personal ? siteImage() : pageImage('tipster', reference, now);
}

/** The metadata of one of the pages that every portfolio has. */
export async function portfolioPageMetadata(portfolio: PortfolioView, page: PortfolioPageKind): Promise<Metadata> {
  const { reference } = portfolio;
  return portfolioMetadata(portfolio, {
    ...portfolioPageWords(portfolio, page),
    path: page === 'profile' ? routes.portfolio(reference) : routes.portfolioPage(reference, page),
    image: await portfolioImage(portfolio, present()),
    feeds: portfolioFeeds(portfolio),
  });
}

/** The time range that a page's parameter asks for; all time without one. */
export function periodFrom(text: string | string[] | undefined): TimeRange {
  const ranges = Object.values(TimeRange);
  return ranges.find((range) => String(range) === single(text)) ?? TimeRange.allTime;
}

/** How many tips a page's parameter leaves out from the newest. */
export function skipFrom(text: string | string[] | undefined): number {
  const given = single(text);
  return given && /^\d{1,7}$/.test(given) ? Number(given) : 0;
}
