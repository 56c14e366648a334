import { Rss } from 'lucide-react';
import type { Metadata } from 'next';
import { DashboardHead } from '@/components/account/dashboard-head';
import { LiveFeed } from '@/components/fixtures/live-feed';
import { FeedCard } from '@/components/posts/feed-card';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { FormMessage } from '@/components/ui/form-message';
import { Icon } from '@/components/ui/icon';
import { LinkTabs } from '@/components/ui/link-tabs';
import { Pager } from '@/components/ui/pager';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { Stat } from '@/components/ui/stat';
import { Stats } from '@/components/ui/stats';
import { findSuspension, listWatchlist } from '@/lib/accounts/queries';
import { Markup } from '@/lib/pages/markup';
import { pageMetadata, type PageQuery, single } from '@/lib/pages/page';
import { skipFrom } from '@/lib/pages/portfolio-page';
import { listFeed } from '@/lib/notifications/queries';
import { type FeedKind, feedKinds, feedPageSize } from '@/lib/notifications/schema';
import { listManagedPortfolios } from '@/lib/portfolios/queries';
import { routes } from '@/lib/routes';
import { listMostPopular } from '@/lib/stats/queries';
import { PopularTipsters } from '../_sections/tipster-sections';
import { readMember } from './_sections/read-member';

export const dynamic = 'force-dynamic';

type DashboardPageProps = { searchParams: Promise<PageQuery> };

export const metadata: Metadata = pageMetadata({
  title: 'Account Dashboard',
  description: 'What the tipsters you follow publish.',
  path: routes.dashboard(),
  index: false,
});

const kindTitles: Record<FeedKind, string> = { all: 'All', tips: 'Tips', posts: 'Posts' };
const nothingNewer: Record<FeedKind, string> = {
  all: 'published anything',
  tips: 'published a tip',
  posts: 'written a post',
};
const suggested = 6;

export default async function DashboardPage({ searchParams }: DashboardPageProps) {
  const given = await searchParams;
  const skip = skipFrom(given.skip);
  const kind = feedKinds.find((each) => each === single(given.kind)) ?? 'all';
  const here = (place: { skip?: number | undefined; kind?: FeedKind }) =>
    routes.dashboard(undefined, {
      skip: place.skip || undefined,
      kind: (place.kind ?? kind) === 'all' ? undefined : (place.kind ?? kind),
    });
  const { viewer, user, now, timeZone, oddsDisplay } = await readMember(routes.dashboard(), given);
  const suspendedBecause = await findSuspension(viewer);
  const [followed, services, feed] = await Promise.all([
    listWatchlist(viewer),
    listManagedPortfolios(viewer, now),
    listFeed(viewer, { kind, skip }, now),
  ]);
  const popular =
    feed.items.length === 0 && skip === 0
      ? (await listMostPopular(viewer)).filter(
          ({ reference }) => !followed.some(({ portfolioReference }) => portfolioReference === reference),
        )
      : [];
  return (
    <>
      <DashboardHead title="Account Dashboard" activeHref={routes.dashboard()} />
      {suspendedBecause !== null && (
        <FormMessage kind="error">
          Your account is suspended: {suspendedBecause} You can still read, change what you are notified about, stop
          following tipsters, cancel memberships, log out and delete your account.{' '}
          <SiteLink href={routes.content('pages', 'contact-us')}>Write to us</SiteLink> if you think this is a mistake.
        </FormMessage>
      )}
      <Stats>
        <Stat label="Logged in as">{user.username}</Stat>
        <Stat label="Tipsters followed" note={<SiteLink href={routes.dashboard('watchlist')}>Watchlist</SiteLink>}>
          {followed.length}
        </Stat>
        <Stat label="Portfolios" note={<SiteLink href={routes.dashboard('services')}>My portfolios</SiteLink>}>
          {services.length}
        </Stat>
      </Stats>
      <section aria-labelledby="feed">
        <SectionHeading
          id="feed"
          aside={
            <LinkTabs
              label="What to show"
              look="segments"
              activeHref={here({})}
              tabs={feedKinds.map((each) => ({ href: here({ kind: each }), title: kindTitles[each] }))}
            />
          }
        >
          From those you follow
        </SectionHeading>
        {skip === 0 && followed.length > 0 && <LiveFeed newest={feed.items[0]?.at ?? ''} kind={kind} />}
        {feed.items.length > 0 ? (
          feed.items.map((item) => (
            <Markup key={`${item.kind} ${item.kind === 'tip' ? item.tip.reference : item.post.reference}`}>
              <FeedCard item={item} timeZone={timeZone} oddsDisplay={oddsDisplay} />
            </Markup>
          ))
        ) : (
          <EmptyState
            icon={<Icon of={Rss} size="large" />}
            title={
              followed.length === 0
                ? 'You are not following anyone yet'
                : skip > 0
                  ? 'There is nothing earlier'
                  : `No one you follow has ${nothingNewer[kind]} yet`
            }
            action={<ButtonLink href={routes.tipsters()}>Compare the tipsters</ButtonLink>}
          >
            {followed.length === 0
              ? 'Follow tipsters to see their tips and posts here.'
              : 'What they publish appears here at once.'}
          </EmptyState>
        )}
        <Pager
          back={skip > 0 ? { href: here({ skip: Math.max(0, skip - feedPageSize) }), title: 'Newer' } : null}
          on={feed.next === null ? null : { href: here({ skip: feed.next }), title: 'Earlier' }}
        />
      </section>
      {popular.length > 0 && (
        <Markup>
          <PopularTipsters portfolios={popular.slice(0, suggested)} />
        </Markup>
      )}
    </>
  );
}
