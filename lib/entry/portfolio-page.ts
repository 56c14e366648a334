import type { Metadata } from 'next';
import { cache } from 'react';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { getPortfolio } from '@/lib/portfolios/queries';
import { PortfolioVisibility, TimeRange } from '@/lib/reference/schema/enumerations';
import { orNotFound, pageMetadata, single } from './page';
import { guest } from './viewer';

/** The portfolio that a page is about, read once a request; the 404 page when guests may not see it. */
export const readPortfolio = cache((reference: string): Promise<PortfolioView> => orNotFound(getPortfolio(guest(), reference)));

/** The metadata of a portfolio's page; a hidden portfolio is for those who know its address, and in no index. */
export function portfolioMetadata(portfolio: PortfolioView, { title, description, path }: { title: string; description: string; path: string }): Metadata {
  return pageMetadata({ title, description, path, index: portfolio.type !== PortfolioVisibility.hidden });
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
