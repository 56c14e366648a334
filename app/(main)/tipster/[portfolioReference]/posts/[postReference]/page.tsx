import type { Metadata } from 'next';
import { cache } from 'react';
import { FollowButton } from '@/components/portfolios/follow-button';
import { AdSlot } from '@/components/ads/ad-slot';
import { JsonLd } from '@/components/content/json-ld';
import { Island } from '@/components/islands/island';
import { PostReading } from '@/components/posts/post-reading';
import { Badge } from '@/components/ui/badge';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { SiteLink } from '@/components/ui/site-link';
import { WithoutScript } from '@/components/ui/without-script';
import { Moment } from '@/components/formats/moment';
import { ZoneName } from '@/components/formats/zone-name';
import { orNotFound } from '@/lib/pages/page';
import { portfolioMetadata, readPortfolioPage } from '@/lib/pages/portfolio-page';
import { portfolioFeeds } from '@/lib/pages/feeds';
import { pageImage, siteImage } from '@/lib/pages/share-cards';
import { postData, trailData } from '@/lib/pages/structured-data';
import { postWords } from '@/lib/pages/titles';
import type { PortfolioView } from '@/lib/portfolios/schema';
import type { PostView } from '@/lib/posts/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { defaultView } from '@/lib/pages/default-view';
import { Markup } from '@/lib/pages/markup';
import { now as present } from '@/lib/platform/clock';
import { getPost } from '@/lib/posts/queries';
import { openTips } from '@/lib/posts/rules';
import { routes } from '@/lib/routes';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

type PostPageProps = { params: Promise<{ portfolioReference: string; postReference: string }> };

const read = cache(async (portfolioReference: string, postReference: string) => {
  const { viewer, portfolio } = await readPortfolioPage(portfolioReference);
  return { portfolio, post: await orNotFound(getPost(viewer, portfolioReference, postReference, present())) };
});

const postImage = async ({ type }: PortfolioView, { portfolioReference, reference }: PostView) =>
  type === PortfolioVisibility.personal
    ? siteImage()
    : pageImage('post', `${portfolioReference}~${reference}`, present());

export async function generateMetadata({ params }: PostPageProps): Promise<Metadata> {
  const { portfolioReference, postReference } = await params;
  const { portfolio, post } = await read(portfolioReference, postReference);
  return portfolioMetadata(portfolio, {
    ...postWords(post),
    path: routes.post(portfolioReference, postReference),
    // What is locked is a page of nothing to whoever searches.
    index: post.lock === null,
    image: await postImage(portfolio, post),
    feeds: portfolioFeeds(portfolio),
  });
}

export default async function PostPage({ params }: PostPageProps) {
  const { portfolioReference, postReference } = await params;
  const { portfolio, post } = await read(portfolioReference, postReference);
  const { timeZone, timeZoneName, oddsDisplay } = defaultView;
  const when = (iso: string) => (
    <>
      <Moment at={iso} style="day-time" timeZone={timeZone} /> <ZoneName name={timeZoneName} />
    </>
  );
  const trail = [
    { href: routes.home(), title: 'Home' },
    { href: routes.tipsters(), title: 'Tipsters' },
    { href: routes.portfolio(portfolioReference), title: post.portfolioName },
    { href: routes.portfolioPage(portfolioReference, 'posts'), title: 'Posts' },
  ];
  const { address } = await postImage(portfolio, post);
  return (
    <Markup>
      <Breadcrumb trail={trail} here={post.title} />
      <article aria-labelledby="title">
        <h1 id="title" className={styles.title}>
          {post.title}
        </h1>
        <p className={styles.facts}>
          {post.premiumOnly && <Badge tone="accent">Members</Badge>}
          {post.demo && <Badge tone="notice">Demo data</Badge>}
          <span>
            by <SiteLink href={routes.portfolio(portfolioReference)}>{post.portfolioName}</SiteLink> ·{' '}
            {when(post.publishedAt)}
            {post.editedAt && <> · edited {when(post.editedAt)}</>}
          </span>
          <FollowButton portfolioReference={portfolioReference} name={post.portfolioName} />
          <Island
            name="owner link"
            props={{
              portfolio: portfolioReference,
              href: routes.editPost(portfolioReference, postReference),
              title: 'Edit the post',
            }}
            as="span"
          />
        </p>
        <Island
          name="own post"
          props={{
            portfolio: portfolioReference,
            post: postReference,
            tips: openTips(post),
            locked: post.lock !== null,
          }}
        >
          <PostReading post={post} timeZone={timeZone} oddsDisplay={oddsDisplay} />
          {post.lock && <WithoutScript href={routes.readPost(portfolioReference, postReference)} />}
        </Island>
      </article>
      <AdSlot name="post" />
      {portfolio.type !== PortfolioVisibility.personal && (
        <JsonLd
          data={[
            trailData([...trail, { href: routes.post(portfolioReference, postReference), title: post.title }]),
            ...postData(post, address),
          ]}
        />
      )}
    </Markup>
  );
}
