import type { Metadata } from 'next';
import { Coins } from 'lucide-react';
import { OwnerHead } from '@/components/portfolios/owner-head';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { readOwnPortfolio } from '@/lib/pages/owner-page';
import { pageMetadata } from '@/lib/pages/page';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type EarningsPageProps = { params: Promise<{ portfolioReference: string }> };

export async function generateMetadata({ params }: EarningsPageProps): Promise<Metadata> {
  const path = routes.ownPortfolioPage((await params).portfolioReference, 'earnings');
  const { portfolio } = await readOwnPortfolio((await params).portfolioReference, path);
  return pageMetadata({
    title: `Earnings: ${portfolio.name}`,
    description: `What ${portfolio.name} has earned through memberships. For its owner alone.`,
    path,
    index: false,
  });
}

export default async function EarningsPage({ params }: EarningsPageProps) {
  const { portfolioReference } = await params;
  const { portfolio } = await readOwnPortfolio(
    portfolioReference,
    routes.ownPortfolioPage(portfolioReference, 'earnings'),
  );
  return (
    <>
      <OwnerHead portfolio={portfolio} page="earnings" />
      <EmptyState icon={<Icon of={Coins} size="large" />} title="Nothing has been earned yet">
        Memberships are not sold on this site yet, so no money has moved. Months, plans, fees and payouts appear here
        once they are.
      </EmptyState>
    </>
  );
}
