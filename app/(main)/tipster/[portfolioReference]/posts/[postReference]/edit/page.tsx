import { PenLine } from 'lucide-react';
import type { Metadata } from 'next';
import { OwnerHead } from '@/components/portfolios/owner-head';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { readOwnPortfolio } from '@/lib/entry/owner-page';
import { orNotFound, pageMetadata } from '@/lib/entry/page';
import { getPost } from '@/lib/posts/queries';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type EditPostPageProps = { params: Promise<{ portfolioReference: string; postReference: string }> };

async function read(params: EditPostPageProps['params']) {
  const { portfolioReference, postReference } = await params;
  const path = routes.editPost(portfolioReference, postReference);
  const own = await readOwnPortfolio(portfolioReference, path);
  return { ...own, path, post: await orNotFound(getPost(own.viewer, portfolioReference, postReference, own.now)) };
}

export async function generateMetadata({ params }: EditPostPageProps): Promise<Metadata> {
  const { portfolio, post, path } = await read(params);
  return pageMetadata({ title: `Edit: ${post.title}`, description: `A post of ${portfolio.name}, for its owner alone.`, path, index: false });
}

export default async function EditPostPage({ params }: EditPostPageProps) {
  const { portfolio, post } = await read(params);
  return (
    <>
      <OwnerHead portfolio={portfolio} page="edit" />
      <EmptyState
        icon={<Icon of={PenLine} size="large" />}
        title={`“${post.title}” cannot be edited here yet`}
        action={<ButtonLink href={routes.post(portfolio.reference, post.reference)}>Read the post</ButtonLink>}
      >
        The desk where posts are written is not open on this site yet.
      </EmptyState>
    </>
  );
}
