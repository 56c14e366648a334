import type { Metadata } from 'next';
import { OwnerHead } from '@/components/portfolios/owner-head';
import { PortfolioFacts } from '@/components/portfolios/portfolio-facts';
import { readOwnPortfolio } from '@/lib/entry/owner-page';
import { pageMetadata } from '@/lib/entry/page';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type ManagePageProps = { params: Promise<{ portfolioReference: string }> };

export async function generateMetadata({ params }: ManagePageProps): Promise<Metadata> {
  const path = routes.ownPortfolioPage((await params).portfolioReference, 'manage');
  const { portfolio } = await readOwnPortfolio((await params).portfolioReference, path);
  return pageMetadata({ title: `Manage: ${portfolio.name}`, description: `What ${portfolio.name} is set to, and who follows it. For its owner alone.`, path, index: false });
}

export default async function ManagePage({ params }: ManagePageProps) {
  const { portfolioReference } = await params;
  const { portfolio } = await readOwnPortfolio(portfolioReference, routes.ownPortfolioPage(portfolioReference, 'manage'));
  return (
    <>
      <OwnerHead portfolio={portfolio} page="manage" />
      <PortfolioFacts portfolio={portfolio} />
      <p>These settings can be read here. They cannot be changed yet.</p>
    </>
  );
}
