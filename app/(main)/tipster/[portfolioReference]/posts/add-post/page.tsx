import { PenLine } from 'lucide-react';
import type { Metadata } from 'next';
import { OwnerHead } from '@/components/portfolios/owner-head';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { readOwnPortfolio } from '@/lib/entry/owner-page';
import { pageMetadata } from '@/lib/entry/page';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type NewPostPageProps = { params: Promise<{ portfolioReference: string }> };

export async function generateMetadata({ params }: NewPostPageProps): Promise<Metadata> {
  const path = routes.newPost((await params).portfolioReference);
  const { portfolio } = await readOwnPortfolio((await params).portfolioReference, path);
  return pageMetadata({ title: `New post: ${portfolio.name}`, description: `A new post of ${portfolio.name}, for its owner alone.`, path, index: false });
}

export default async function NewPostPage({ params }: NewPostPageProps) {
  const { portfolioReference } = await params;
  const { portfolio } = await readOwnPortfolio(portfolioReference, routes.newPost(portfolioReference));
  return (
    <>
      <OwnerHead portfolio={portfolio} page="post" />
      <EmptyState icon={<Icon of={PenLine} size="large" />} title="Posts cannot be written here yet">
        The desk where posts are written is not open on this site yet. What has been published stands under Posts on the portfolio’s page.
      </EmptyState>
    </>
  );
}
