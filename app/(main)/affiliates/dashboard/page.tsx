import type { Metadata } from 'next';
import { AccountCard } from '@/components/account/account-card';
import { AffiliateBoard } from '@/components/money/affiliate-board';
import { PayeePart } from '@/components/money/payee-part';
import { SiteLink } from '@/components/ui/site-link';
import { getAffiliate } from '@/lib/affiliates/queries';
import { defaultView } from '@/lib/pages/default-view';
import { readMemberViewer } from '@/lib/pages/member-page';
import { pageMetadata } from '@/lib/pages/page';
import { readPayee } from '@/lib/pages/payee-page';
import { env } from '@/lib/platform/env';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

const path = routes.affiliates('dashboard');

export const metadata: Metadata = pageMetadata({
  title: 'Your affiliate link',
  description: 'Your link, its results, and your commissions.',
  path,
  index: false,
});

type AffiliateDashboardProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function AffiliateDashboardPage({ searchParams }: AffiliateDashboardProps) {
  const { payouts } = await searchParams;
  const viewer = await readMemberViewer(path);
  const affiliate = await getAffiliate(viewer);
  const paid = affiliate.balances.length > 0 ? await readPayee(viewer) : null;
  return (
    <AccountCard title="Your affiliate link" aside={<SiteLink href={routes.affiliates()}>The rules</SiteLink>}>
      <AffiliateBoard affiliate={affiliate} origin={env().siteUrl} timeZone={defaultView.timeZone} />
      {paid && <PayeePart {...paid} portfolio={null} isLinkOver={payouts === 'again'} />}
    </AccountCard>
  );
}
