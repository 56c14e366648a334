import type { Metadata } from 'next';
import { AccountCard } from '@/components/account/account-card';
import { AffiliateBoard } from '@/components/money/affiliate-board';
import { SiteLink } from '@/components/ui/site-link';
import { getAffiliate } from '@/lib/affiliates/queries';
import { readMemberViewer } from '@/lib/pages/member-page';
import { pageMetadata } from '@/lib/pages/page';
import { env } from '@/lib/platform/env';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

const path = routes.affiliates('dashboard');

export const metadata: Metadata = pageMetadata({
  title: 'Your affiliate link',
  description: 'Your link, what came of it, and your commissions.',
  path,
  index: false,
});

export default async function AffiliateDashboardPage() {
  const affiliate = await getAffiliate(await readMemberViewer(path));
  return (
    <AccountCard title="Your affiliate link" aside={<SiteLink href={routes.affiliates()}>The rules</SiteLink>}>
      <AffiliateBoard affiliate={affiliate} origin={env().siteUrl} />
    </AccountCard>
  );
}
