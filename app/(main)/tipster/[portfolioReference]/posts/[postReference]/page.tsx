import type { Metadata } from 'next';
import { cache } from 'react';
import { Lock } from 'lucide-react';
import { FollowButton } from '@/components/account/follow-button';
import { AdSlot } from '@/components/ads/ad-slot';
import { TipList } from '@/components/tips/tip-list';
import { Badge } from '@/components/ui/badge';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Html } from '@/components/ui/html';
import { Icon } from '@/components/ui/icon';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { Moment } from '@/components/viewing/moment';
import { ZoneName } from '@/components/viewing/zone-name';
import { renderMarkdown } from '@/lib/content/rules/markdown';
import { orNotFound } from '@/lib/entry/page';
import { portfolioMetadata, readPortfolio } from '@/lib/entry/portfolio-page';
import { guest } from '@/lib/entry/viewer';
import { viewing } from '@/lib/entry/viewing';
import { now as present } from '@/lib/platform/clock';
import { getPost } from '@/lib/posts/queries';
import { routes } from '@/lib/routes';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

type PostPageProps = { params: Promise<{ portfolioReference: string; postReference: string }> };

const read = cache((portfolio: string, post: string) => orNotFound(getPost(guest(), portfolio, post, present())));

export async function generateMetadata({ params }: PostPageProps): Promise<Metadata> {
  const { portfolioReference, postReference } = await params;
  const [portfolio, post] = await Promise.all([readPortfolio(portfolioReference), read(portfolioReference, postReference)]);
  return portfolioMetadata(portfolio, {
    title: `${post.title}, by ${portfolio.name}`,
    description: post.excerpt || `A post by ${portfolio.name}${post.lock ? ' for members alone; the record behind it is open to everybody' : ' on Tipledger, where every record can be proved'}.`,
    path: routes.post(portfolioReference, postReference),
  });
}

export default async function PostPage({ params }: PostPageProps) {
  const { portfolioReference, postReference } = await params;
  const post = await read(portfolioReference, postReference);
  const { timeZone, timeZoneName, oddsDisplay } = viewing;
  const when = (iso: string) => (
    <>
      <Moment at={iso} style="day-time" timeZone={timeZone} /> <ZoneName name={timeZoneName} />
    </>
  );
  return (
    <>
      <Breadcrumb
        trail={[
          { href: routes.home(), title: 'Home' },
          { href: routes.tipsters(), title: 'Tipsters' },
          { href: routes.portfolio(portfolioReference), title: post.portfolioName },
          { href: routes.portfolioPage(portfolioReference, 'posts'), title: 'Posts' },
        ]}
        here={post.title}
      />
      <article aria-labelledby="title">
        <h1 id="title" className={styles.title}>
          {post.title}
        </h1>
        <p className={styles.facts}>
          {post.premiumOnly && <Badge tone="accent">Members</Badge>}
          {post.demo && <Badge tone="notice">Demo data</Badge>}
          <span>
            by <SiteLink href={routes.portfolio(portfolioReference)}>{post.portfolioName}</SiteLink> · {when(post.publishedAt)}
            {post.editedAt && <> · edited {when(post.editedAt)}</>}
          </span>
          <FollowButton portfolioReference={portfolioReference} name={post.portfolioName} />
        </p>
        {post.body === null ? (
          <EmptyState
            icon={<Icon of={Lock} size="large" />}
            title="This post is for members"
            action={
              <ButtonLink look="secondary" href={routes.portfolio(portfolioReference)}>
                See the record
              </ButtonLink>
            }
          >
            Its text and its tips are for the members of {post.portfolioName}. The record is open to everybody, and so is each tip from its start on.
          </EmptyState>
        ) : (
          <div className={styles.body}>
            <Html html={renderMarkdown(post.body)} />
          </div>
        )}
        {post.tipItems.length > 0 && (
          <section aria-labelledby="tips">
            <SectionHeading id="tips">Tips of this post</SectionHeading>
            <TipList tips={post.tipItems} timeZone={timeZone} oddsDisplay={oddsDisplay} />
          </section>
        )}
      </article>
      <AdSlot name="post" />
    </>
  );
}
