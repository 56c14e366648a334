import type { Metadata } from 'next';
import { cache } from 'react';
import { OwnerHead } from '@/components/portfolios/owner-head';
import { PostForm } from '@/components/posts/post-form';
import { PostVersions } from '@/components/posts/post-versions';
import { SectionHeading } from '@/components/ui/section-heading';
import { renderMarkdown } from '@/lib/content/rules';
import type { MemberViewer } from '@/lib/pages/member-page';
import { readOwnPortfolio } from '@/lib/pages/owner-page';
import { orNotFound, pageMetadata, type PageQuery } from '@/lib/pages/page';
import { defaultView } from '@/lib/pages/default-view';
import { now as present } from '@/lib/platform/clock';
import { getOwnPost } from '@/lib/posts/queries';
import { whoReadsPosts } from '@/lib/posts/rules';
import { postLimits } from '@/lib/posts/schema';
import { routes } from '@/lib/routes';
import { listTips } from '@/lib/tips/queries';
import styles from '../../page.module.scss';

export const dynamic = 'force-dynamic';

type EditPostPageProps = {
  params: Promise<{ portfolioReference: string; postReference: string }>;
  searchParams: Promise<PageQuery>;
};

const readPost = cache((viewer: MemberViewer, portfolioReference: string, postReference: string) =>
  orNotFound(getOwnPost(viewer, portfolioReference, postReference, present())),
);

async function read({ params, searchParams }: EditPostPageProps) {
  const { portfolioReference, postReference } = await params;
  const path = routes.editPost(portfolioReference, postReference);
  const own = await readOwnPortfolio(portfolioReference, path, await searchParams);
  return { ...own, path, post: await readPost(own.viewer, portfolioReference, postReference) };
}

export async function generateMetadata(props: EditPostPageProps): Promise<Metadata> {
  const { portfolio, post, path } = await read(props);
  return pageMetadata({
    title: `Edit: ${post.title}`,
    description: `A post of ${portfolio.name}, for its owner alone.`,
    path,
    index: false,
  });
}

export default async function EditPostPage(props: EditPostPageProps) {
  const { viewer, portfolio, post, now } = await read(props);
  const portfolioReference = portfolio.reference;
  const tips = await listTips(viewer, portfolioReference, { state: 'all', skip: 0 }, now);
  const { reference, version, title, body, html, editedAt, premiumOnly } = post;
  return (
    <>
      <OwnerHead portfolio={portfolio} page="edit" />
      <div className={styles.desk}>
        <PostForm
          portfolioReference={portfolioReference}
          readers={post.premiumOnly ? null : whoReadsPosts({ visibility: portfolio.type, sells: portfolio.sells })}
          post={{ reference, version, title, body, html, editedAt, premiumOnly, tips: post.tips }}
          tips={[...post.tipItems, ...tips.items.filter((tip) => !post.tips.includes(tip.reference))]}
          isMore={tips.next !== null}
          limits={postLimits}
          timeZone={defaultView.timeZone}
        />
        {post.earlier.length > 0 && (
          <section aria-labelledby="earlier">
            <SectionHeading id="earlier">What it said before</SectionHeading>
            <PostVersions
              versions={post.earlier.map(({ body: text, ...earlier }) => ({ ...earlier, html: renderMarkdown(text) }))}
              timeZone={defaultView.timeZone}
            />
          </section>
        )}
      </div>
    </>
  );
}
