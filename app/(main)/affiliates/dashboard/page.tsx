import type { Metadata } from 'next';
import { AccountCard } from '@/components/account/account-card';
import { AffiliateBoard } from '@/components/money/affiliate-board';
import { MonthlyPayouts } from '@/components/money/monthly-payouts';
import { PayeePart } from '@/components/money/payee-part';
import { SiteLink } from '@/components/ui/site-link';
import { getAffiliate } from '@/lib/affiliates/queries';
import { getPayoutChoice } from '@/lib/money/queries';
import { defaultView } from '@/lib/pages/default-view';
import { readMemberViewer } from '@/lib/pages/member-page';
import { pageMetadata, type PageQuery } from '@/lib/pages/page';
import { canAskForPayout, readPayee } from '@/lib/pages/payee-page';
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

type AffiliateDashboardProps = { searchParams: Promise<PageQuery> };

export default async function AffiliateDashboardPage({ searchParams }: AffiliateDashboardProps) {
  const asked = await searchParams;
  const viewer = await readMemberViewer(path, asked);
  const affiliate = await getAffiliate(viewer);
  const hasEarned = affiliate.balances.length > 0;
  const paid = hasEarned ? await readPayee(viewer) : null;
  const { monthly } = await getPayoutChoice(viewer);
  return (
    <AccountCard title="Your affiliate link" aside={<SiteLink href={routes.affiliates()}>The rules</SiteLink>}>
      <AffiliateBoard
        affiliate={affiliate}
        origin={env().siteUrl}
        canAsk={canAskForPayout(paid)}
        timeZone={defaultView.timeZone}
      />
      {hasEarned && <MonthlyPayouts monthly={monthly} />}
      {paid && <PayeePart {...paid} portfolio={null} isLinkOver={asked.payouts === 'again'} />}
    </AccountCard>
  );
}
