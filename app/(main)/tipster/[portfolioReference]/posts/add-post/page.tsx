import type { Metadata } from 'next';
import { OwnerHead } from '@/components/portfolios/owner-head';
import { PostForm } from '@/components/posts/post-form';
import { readOwnPortfolio } from '@/lib/pages/owner-page';
import { pageMetadata, type PageQuery } from '@/lib/pages/page';
import { defaultView } from '@/lib/pages/default-view';
import { whoReadsPosts } from '@/lib/posts/rules';
import { postLimits } from '@/lib/posts/schema';
import { routes } from '@/lib/routes';
import { listTips } from '@/lib/tips/queries';
import styles from '../page.module.scss';

export const dynamic = 'force-dynamic';

type NewPostPageProps = { params: Promise<{ portfolioReference: string }>; searchParams: Promise<PageQuery> };

export async function generateMetadata({ params, searchParams }: NewPostPageProps): Promise<Metadata> {
  const path = routes.newPost((await params).portfolioReference);
  const { portfolio } = await readOwnPortfolio((await params).portfolioReference, path, await searchParams);
  return pageMetadata({
    title: `New post: ${portfolio.name}`,
    description: `A new post of ${portfolio.name}, for its owner alone.`,
    path,
    index: false,
  });
}

export default async function NewPostPage({ params, searchParams }: NewPostPageProps) {
  const { portfolioReference } = await params;
  const { viewer, portfolio, now } = await readOwnPortfolio(
    portfolioReference,
    routes.newPost(portfolioReference),
    await searchParams,
  );
  const tips = await listTips(viewer, portfolioReference, { state: 'all', skip: 0 }, now);
  return (
    <>
      <OwnerHead portfolio={portfolio} page="post" />
      <div className={styles.desk}>
        <PostForm
          portfolioReference={portfolioReference}
          readers={whoReadsPosts({ visibility: portfolio.type, sells: portfolio.sells })}
          post={null}
          tips={tips.items}
          isMore={tips.next !== null}
          limits={postLimits}
          timeZone={defaultView.timeZone}
        />
      </div>
    </>
  );
}
