import { NextResponse, type NextRequest } from 'next/server';
import { sessionCookieName } from '@/lib/accounts/schema';
import { leagueMovedTo, movedTo } from '@/lib/redirects';
import { isProtectedPath, unauthorisedTarget } from '@/lib/route-table';

/** Spec §2.3, §2.4: legacy addresses lead on, and whoever carries no session is asked to sign in. The guard itself is where data is read. */
export function middleware(request: NextRequest): NextResponse {
  const { pathname, search, origin } = request.nextUrl;
  const league = leagueMovedTo(pathname, search);
  if (league !== null) return NextResponse.redirect(new URL(league, origin), 301);
  const moved = movedTo(pathname);
  if (moved !== null) return NextResponse.redirect(new URL(`${moved}${search}`, origin), 301);
  if (isProtectedPath(pathname) && !request.cookies.has(sessionCookieName)) {
    return NextResponse.redirect(new URL(unauthorisedTarget(`${pathname}${search}`), origin), 307);
  }
  return NextResponse.next();
}

export const config = {
  runtime: 'nodejs',
  matcher: [
    '/:first(create-portfolio|my-tipsters|my-portfolios|following|legal|gold|black-friday|apps|discover|blog|index\\.html|unsubscribe-list|affiliate|affiliates|admin|dashboard)/:rest*',
    '/:path*/:segment(admin|manage|dashboard|earnings|add-post|edit)/:rest*',
    '/tipster/:portfolioReference/:old(about|join|subscription|purchase-complete|purchase-pending|purchase-cancelled|purchase-error)/:rest*',
    '/betting-strategies/arbitrage-betting',
    '/:sport/free',
    '/:first([A-Za-z-]*[A-Z][A-Za-z-]*)/:rest*',
    { source: '/:sport', has: [{ type: 'query', key: 'league' }] },
  ],
};
