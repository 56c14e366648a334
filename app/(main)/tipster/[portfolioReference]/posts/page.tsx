import type { Metadata } from 'next';
import { NotebookPen } from 'lucide-react';
import { AdSlot } from '@/components/ads/ad-slot';
import { OwnerLinkPlace } from '@/components/portfolios/owner-link-place';
import { PortfolioHead } from '@/components/portfolios/portfolio-head';
import { ReadingPlace } from '@/components/portfolios/reading-place';
import { PostList } from '@/components/posts/post-list';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Pager } from '@/components/ui/pager';
import { SectionHeading } from '@/components/ui/section-heading';
import { portfolioMetadata, readPortfolioPage, skipFrom } from '@/lib/entry/portfolio-page';
import { viewing } from '@/lib/entry/viewing';
import { now as present } from '@/lib/platform/clock';
import { listPosts } from '@/lib/posts/queries';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type PostsPageProps = { params: Promise<{ portfolioReference: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata({ params }: PostsPageProps): Promise<Metadata> {
  const { portfolio } = await readPortfolioPage((await params).portfolioReference);
  return portfolioMetadata(portfolio, {
    title: `${portfolio.name}: posts`,
    description: `What ${portfolio.name} writes: previews, reviews and the thinking behind the tips.`,
    path: routes.portfolioPage(portfolio.reference, 'posts'),
  });
}

export default async function PostsPage({ params, searchParams }: PostsPageProps) {
  const { viewer, portfolio } = await readPortfolioPage((await params).portfolioReference);
  const skip = skipFrom((await searchParams).skip);
  const { items, next } = await listPosts(viewer, portfolio.reference, { skip }, present());
  const here = routes.portfolioPage(portfolio.reference, 'posts');
  const list = <PostList posts={items} timeZone={viewing.timeZone} />;
  return (
    <>
      <PortfolioHead portfolio={portfolio} activeHref={here} timeZone={viewing.timeZone} />
      <SectionHeading aside={<OwnerLinkPlace portfolio={portfolio.reference} href={routes.newPost(portfolio.reference)} title="Write a post" />}>Posts</SectionHeading>
      {items.some(({ lock }) => lock !== null) ? (
        <ReadingPlace part="posts" portfolio={portfolio.reference} skip={skip}>
          {list}
        </ReadingPlace>
      ) : items.length > 0 ? (
        list
      ) : (
        <EmptyState icon={<Icon of={NotebookPen} size="large" />} title={skip > 0 ? 'There are no older posts' : 'No post was published yet'}>
          {skip > 0 ? 'The newest ones are on the first page.' : 'What this tipster writes appears here at once.'}
        </EmptyState>
      )}
      <Pager back={skip > 0 ? { href: here, title: 'Newest' } : null} on={next === null ? null : { href: routes.portfolioPage(portfolio.reference, 'posts', { skip: next }), title: 'Older' }} />
      <AdSlot name="tipster" />
    </>
  );
}
