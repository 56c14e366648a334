import type { Metadata } from 'next';
import { PostReading } from '@/components/posts/post-reading';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { SiteLink } from '@/components/ui/site-link';
import { Moment } from '@/components/formats/moment';
import { orNotFound, pageMetadata, type PageQuery } from '@/lib/pages/page';
import { getPost } from '@/lib/posts/queries';
import { routes } from '@/lib/routes';
import { readMember } from '../../../../_sections/read-member';
import styles from '../../reading.module.scss';

export const dynamic = 'force-dynamic';

type ReadingProps = {
  params: Promise<{ portfolioReference: string; postReference: string }>;
  searchParams: Promise<PageQuery>;
};

export async function generateMetadata({ params }: Pick<ReadingProps, 'params'>): Promise<Metadata> {
  const { portfolioReference, postReference } = await params;
  return pageMetadata({
    title: 'A post for members',
    description: 'A post as its members read it.',
    path: routes.readPost(portfolioReference, postReference),
    index: false,
  });
}

export default async function ReadPostPage({ params, searchParams }: ReadingProps) {
  const { portfolioReference, postReference } = await params;
  const member = await readMember(routes.readPost(portfolioReference, postReference), await searchParams);
  const post = await orNotFound(getPost(member.viewer, portfolioReference, postReference, member.now));
  return (
    <>
      <Breadcrumb
        trail={[
          { href: routes.dashboard(), title: 'Dashboard' },
          { href: routes.portfolio(portfolioReference), title: post.portfolioName },
          { href: routes.portfolioPage(portfolioReference, 'posts'), title: 'Posts' },
        ]}
        here={post.title}
      />
      <article aria-labelledby="title">
        <h1 id="title">{post.title}</h1>
        <p className={styles.by}>
          by <SiteLink href={routes.portfolio(portfolioReference)}>{post.portfolioName}</SiteLink>, published{' '}
          <Moment at={post.publishedAt} style="day-time" timeZone={member.timeZone} />
        </p>
        <PostReading post={post} timeZone={member.timeZone} oddsDisplay={member.oddsDisplay} />
      </article>
    </>
  );
}
