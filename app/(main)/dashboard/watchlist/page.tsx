import { Eye } from 'lucide-react';
import type { Metadata } from 'next';
import { DashboardHead } from '@/components/account/dashboard-head';
import { Watchlist } from '@/components/account/watchlist';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { listWatchlist } from '@/lib/accounts/queries/following';
import { pageMetadata } from '@/lib/entry/page';
import { currencies } from '@/lib/reference/schema/currencies';
import { routes } from '@/lib/routes';
import { readMember } from '../_sections/read-member';

export const dynamic = 'force-dynamic';

const path = routes.dashboard('watchlist');

export const metadata: Metadata = pageMetadata({ title: 'Watchlist', description: 'The tipsters whom you follow, and the most that you stake on their tips.', path, index: false });

export default async function WatchlistPage() {
  const { viewer, settings } = await readMember(path);
  const entries = await listWatchlist(viewer);
  const currency = currencies.find(({ id }) => id === settings.betCurrencyId);
  return (
    <>
      <DashboardHead title="Watchlist" activeHref={path} />
      {entries.length > 0 && currency ? (
        <Watchlist entries={entries} currency={currency} />
      ) : (
        <EmptyState icon={<Icon of={Eye} size="large" />} title="You follow nobody yet" action={<ButtonLink href={routes.tipsters()}>Compare the tipsters</ButtonLink>}>
          Follow a tipster on their page: they appear here, with the most that you want to stake on their tips.
        </EmptyState>
      )}
    </>
  );
}
