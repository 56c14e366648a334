import type { Metadata } from 'next';
import { Repeat } from 'lucide-react';
import { OwnerHead } from '@/components/portfolios/owner-head';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { AutobetTotalsView } from '@/components/bet-slip/autobet-totals';
import { getAutobetTotals } from '@/lib/bets/queries';
import { now as present } from '@/lib/platform/clock';
import { readOwnPortfolio } from '@/lib/pages/owner-page';
import { pageMetadata, type PageQuery } from '@/lib/pages/page';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type AutobetsPageProps = { params: Promise<{ portfolioReference: string }>; searchParams: Promise<PageQuery> };

export async function generateMetadata({ params, searchParams }: AutobetsPageProps): Promise<Metadata> {
  const path = routes.ownPortfolioPage((await params).portfolioReference, 'autobets');
  const { portfolio } = await readOwnPortfolio((await params).portfolioReference, path, await searchParams);
  return pageMetadata({
    title: `Autobets: ${portfolio.name}`,
    description: `The rules by which followers record the tips of ${portfolio.name} as bets. For its owner alone.`,
    path,
    index: false,
  });
}

export default async function AutobetsPage({ params, searchParams }: AutobetsPageProps) {
  const { portfolioReference } = await params;
  const { portfolio, viewer } = await readOwnPortfolio(
    portfolioReference,
    routes.ownPortfolioPage(portfolioReference, 'autobets'),
    await searchParams,
  );
  const totals = await getAutobetTotals(viewer, portfolio.reference, present());
  const hasAny = totals.rules > 0 || totals.all.recorded > 0 || totals.all.missed.length > 0;
  return (
    <>
      <OwnerHead portfolio={portfolio} page="autobets" />
      {hasAny ? (
        <>
          <p>
            What followers’ rules made of your tips, as totals. A rule records a tip as a bet of the follower’s own; it
            never places one with a bookmaker.
          </p>
          <AutobetTotalsView totals={totals} />
        </>
      ) : (
        <EmptyState icon={<Icon of={Repeat} size="large" />} title="No follower has a rule">
          A rule records each published tip as a bet at the price on offer then; it never places a bet with a bookmaker.
          Nobody has set one for this portfolio.
        </EmptyState>
      )}
    </>
  );
}
