import type { Metadata } from 'next';
import { NotebookPen } from 'lucide-react';
import { Island } from '@/components/islands/island';
import { PostList } from '@/components/posts/post-list';
import { portfolioPageMetadata, readPortfolioPage, skipFrom } from '@/lib/pages/portfolio-page';
import { defaultView } from '@/lib/pages/default-view';
import { Markup } from '@/lib/pages/markup';
import { now as present } from '@/lib/platform/clock';
import { listPosts } from '@/lib/posts/queries';
import { routes } from '@/lib/routes';
import { PortfolioListing } from '../_sections/portfolio-listing';

export const dynamic = 'force-dynamic';

type PostsPageProps = {
  params: Promise<{ portfolioReference: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: PostsPageProps): Promise<Metadata> {
  const { portfolio } = await readPortfolioPage((await params).portfolioReference);
  return portfolioPageMetadata(portfolio, 'posts');
}

export default async function PostsPage({ params, searchParams }: PostsPageProps) {
  const { viewer, portfolio } = await readPortfolioPage((await params).portfolioReference);
  const skip = skipFrom((await searchParams).skip);
  const { items, next } = await listPosts(viewer, portfolio.reference, { skip }, present());
  const list = <PostList posts={items} timeZone={defaultView.timeZone} />;
  return (
    <Markup>
      <PortfolioListing
        portfolio={portfolio}
        page="posts"
        title="Posts"
        aside={
          <Island
            name="owner link"
            props={{ portfolio: portfolio.reference, href: routes.newPost(portfolio.reference), title: 'Write a post' }}
          />
        }
        empty={{
          icon: NotebookPen,
          title: 'No posts have been published yet',
          text: 'What this tipster writes appears here at once.',
          noOlder: 'There are no older posts',
        }}
        skip={skip}
        next={next}
      >
        {items.some(({ lock }) => lock !== null) ? (
          <Island name="own posts" props={{ portfolio: portfolio.reference, skip }}>
            {list}
          </Island>
        ) : items.length > 0 ? (
          list
        ) : null}
      </PortfolioListing>
    </Markup>
  );
}
