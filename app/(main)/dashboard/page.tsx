import { Rss } from 'lucide-react';
import type { Metadata } from 'next';
import { DashboardHead } from '@/components/account/dashboard-head';
import { TipList } from '@/components/tips/tip-list';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Pager } from '@/components/ui/pager';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { Stat } from '@/components/ui/stat';
import { Stats } from '@/components/ui/stats';
import { listWatchlist } from '@/lib/accounts/queries/following';
import { pageMetadata } from '@/lib/entry/page';
import { skipFrom } from '@/lib/entry/portfolio-page';
import { listManagedPortfolios } from '@/lib/portfolios/queries/managed';
import { routes } from '@/lib/routes';
import { tipsAPage } from '@/lib/tips/queries';
import { listFollowedTips } from '@/lib/tips/queries/followed';
import { readMember } from './_sections/read-member';

export const dynamic = 'force-dynamic';

type DashboardPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export const metadata: Metadata = pageMetadata({ title: 'Account Dashboard', description: 'The tips of the tipsters whom you follow.', path: routes.dashboard(), index: false });

export default async function DashboardPage({ searchParams }: DashboardPageProps) {
  const skip = skipFrom((await searchParams).skip);
  const { viewer, user, now, timeZone, oddsDisplay } = await readMember(routes.dashboard(undefined, { skip: skip || undefined }));
  const [followed, services, tips] = await Promise.all([listWatchlist(viewer), listManagedPortfolios(viewer, now), listFollowedTips(viewer, skip, now)]);
  const back = Math.max(0, skip - tipsAPage);
  return (
    <>
      <DashboardHead title="Account Dashboard" activeHref={routes.dashboard()} />
      <Stats>
        <Stat label="Signed in as">{user.username}</Stat>
        <Stat label="Tipsters followed" note={<SiteLink href={routes.dashboard('watchlist')}>Watchlist</SiteLink>}>
          {followed.length}
        </Stat>
        <Stat label="Your portfolios" note={<SiteLink href={routes.dashboard('services')}>Services</SiteLink>}>
          {services.length}
        </Stat>
      </Stats>
      <section aria-labelledby="feed">
        <SectionHeading id="feed">Tips of the tipsters you follow</SectionHeading>
        {tips.items.length > 0 ? (
          <TipList tips={tips.items} timeZone={timeZone} oddsDisplay={oddsDisplay} byline />
        ) : (
          <EmptyState
            icon={<Icon of={Rss} size="large" />}
            title={followed.length === 0 ? 'You follow nobody yet' : skip > 0 ? 'There are no earlier tips' : 'Nobody whom you follow has published a tip yet'}
            action={<ButtonLink href={routes.tipsters()}>Compare the tipsters</ButtonLink>}
          >
            {followed.length === 0 ? 'Compare the tipsters by their records, and follow those whom you trust: their tips appear here.' : 'New tips appear here as soon as they are published.'}
          </EmptyState>
        )}
        <Pager
          back={skip > 0 ? { href: routes.dashboard(undefined, { skip: back || undefined }), title: 'Newer tips' } : null}
          on={tips.next === null ? null : { href: routes.dashboard(undefined, { skip: tips.next }), title: 'Earlier tips' }}
        />
      </section>
    </>
  );
}
