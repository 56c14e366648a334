import { Eye } from 'lucide-react';
import type { Metadata } from 'next';
import { DashboardHead } from '@/components/account/dashboard-head';
import { Watchlist } from '@/components/account/watchlist';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { listWatchlist } from '@/lib/accounts/queries';
import { Markup } from '@/lib/pages/markup';
import { pageMetadata, type PageQuery } from '@/lib/pages/page';
import { guest } from '@/lib/http/viewer';
import { listWelcomes } from '@/lib/portfolios/queries';
import { currencies } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { listMostPopular } from '@/lib/stats/queries';
import { PopularTipsters } from '../../_sections/tipster-sections';
import { readMember } from '../_sections/read-member';

export const dynamic = 'force-dynamic';

const path = routes.dashboard('watchlist');
const suggested = 6;

export const metadata: Metadata = pageMetadata({
  title: 'Watchlist',
  description: 'The tipsters you follow, and the most you stake on their tips.',
  path,
  index: false,
});

type WatchlistPageProps = { searchParams: Promise<PageQuery> };

export default async function WatchlistPage({ searchParams }: WatchlistPageProps) {
  const { viewer, user, settings } = await readMember(path, await searchParams);
  const [entries, popular, welcomes] = await Promise.all([
    listWatchlist(viewer),
    listMostPopular(guest()),
    listWelcomes(viewer),
  ]);
  const others = popular.filter(({ owner }) => owner !== user.username).slice(0, suggested);
  const currency = currencies.find(({ id }) => id === settings.betCurrencyId);
  return (
    <>
      <DashboardHead title="Watchlist" activeHref={path} />
      {currency && (
        <Watchlist
          entries={entries}
          currency={currency}
          welcomes={welcomes}
          nobody={
            <>
              <EmptyState
                icon={<Icon of={Eye} size="large" />}
                title="You are not following anyone"
                action={<ButtonLink href={routes.tipsters()}>Compare the tipsters</ButtonLink>}
              >
                Follow a tipster here or on their page: they appear in this list, with the most you want to stake on
                their tips.
              </EmptyState>
              <Markup>
                <PopularTipsters portfolios={others} />
              </Markup>
            </>
          }
        />
      )}
    </>
  );
}
