import type { Metadata } from 'next';
import { Coins } from 'lucide-react';
import { EarningsTables } from '@/components/money/earnings-tables';
import { MonthlyPayouts } from '@/components/money/monthly-payouts';
import { PayeePart } from '@/components/money/payee-part';
import { PayoutPart } from '@/components/money/payout-part';
import { OwnerHead } from '@/components/portfolios/owner-head';
import { ButtonLink } from '@/components/ui/button-link';
import { CsvDownload } from '@/components/account/csv-download';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { getEarnings } from '@/lib/memberships/queries';
import { defaultView } from '@/lib/pages/default-view';
import { getPayoutChoice } from '@/lib/money/queries';
import { readOwnPortfolio } from '@/lib/pages/owner-page';
import { pageMetadata, type PageQuery } from '@/lib/pages/page';
import { canAskForPayout, readPayee } from '@/lib/pages/payee-page';
import { routes } from '@/lib/routes';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

type EarningsPageProps = {
  params: Promise<{ portfolioReference: string }>;
  searchParams: Promise<PageQuery>;
};

export async function generateMetadata({ params, searchParams }: EarningsPageProps): Promise<Metadata> {
  const path = routes.ownPortfolioPage((await params).portfolioReference, 'earnings');
  const { portfolio } = await readOwnPortfolio((await params).portfolioReference, path, await searchParams);
  return pageMetadata({
    title: `Earnings: ${portfolio.name}`,
    description: `What ${portfolio.name} has earned through memberships. For its owner alone.`,
    path,
    index: false,
  });
}

export default async function EarningsPage({ params, searchParams }: EarningsPageProps) {
  const { portfolioReference } = await params;
  const asked = await searchParams;
  const { viewer, portfolio, now } = await readOwnPortfolio(
    portfolioReference,
    routes.ownPortfolioPage(portfolioReference, 'earnings'),
    asked,
  );
  const [earnings, paid, { monthly }] = await Promise.all([
    getEarnings(viewer, portfolioReference, now),
    readPayee(viewer),
    getPayoutChoice(viewer),
  ]);
  return (
    <>
      <OwnerHead portfolio={portfolio} page="earnings" />
      {earnings.balances.length === 0 ? (
        <EmptyState
          icon={<Icon of={Coins} size="large" />}
          title="Nothing has been earned yet"
          action={<ButtonLink href={routes.ownPortfolioPage(portfolioReference, 'manage')}>Set your plans</ButtonLink>}
        >
          You receive 70% of what each member pays, after tax. Months, plans, fees and payouts appear here with the
          first member who pays.
        </EmptyState>
      ) : (
        <div className={styles.payouts}>
          <PayoutPart
            portfolio={portfolioReference}
            balances={earnings.balances}
            payouts={earnings.payouts}
            canAsk={canAskForPayout(paid)}
            timeZone={defaultView.timeZone}
          />
          <MonthlyPayouts monthly={monthly} />
        </div>
      )}
      {paid && <PayeePart {...paid} portfolio={portfolioReference} isLinkOver={asked.payouts === 'again'} />}
      {earnings.balances.length > 0 && (
        <>
          <EarningsTables earnings={earnings} timeZone={defaultView.timeZone} />
          <div className={styles.file}>
            <p>The file lists every posting behind these figures.</p>
            <CsvDownload
              call="GET /user/portfolio/{reference}/earnings/export"
              place={{ params: { reference: portfolioReference } }}
              file={`earnings-${portfolioReference}.csv`}
            />
          </div>
        </>
      )}
    </>
  );
}
