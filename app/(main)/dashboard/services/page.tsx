import { Notebook } from 'lucide-react';
import type { Metadata } from 'next';
import { DashboardHead } from '@/components/account/dashboard-head';
import { ServiceTable } from '@/components/account/service-table';
import { ClosedEarnings } from '@/components/money/closed-earnings';
import { MonthlyPayouts } from '@/components/money/monthly-payouts';
import { PayeePart } from '@/components/money/payee-part';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { FormMessage } from '@/components/ui/form-message';
import { SiteLink } from '@/components/ui/site-link';
import { listClosedEarnings } from '@/lib/memberships/queries';
import { getPayoutChoice } from '@/lib/money/queries';
import { canAskForPayout, readPayee } from '@/lib/pages/payee-page';
import { pageMetadata, type PageQuery, single } from '@/lib/pages/page';
import { findOwnAbandoned, listManagedPortfolios } from '@/lib/portfolios/queries';
import { portfolioLimits } from '@/lib/portfolios/schema';
import { routes } from '@/lib/routes';
import { readMember } from '../_sections/read-member';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

const path = routes.dashboard('services');

export const metadata: Metadata = pageMetadata({
  title: 'My portfolios',
  description: 'The portfolios in which you publish tips.',
  path,
  index: false,
});

type ServicesPageProps = { searchParams: Promise<PageQuery> };

export default async function ServicesPage({ searchParams }: ServicesPageProps) {
  const asked = await searchParams;
  const { viewer, now, timeZone } = await readMember(path, asked);
  const abandoned = single(asked.abandoned);
  const [portfolios, closed] = [await listManagedPortfolios(viewer, now), await listClosedEarnings(viewer)];
  const { monthly } = await getPayoutChoice(viewer);
  const paid = closed.length > 0 && viewer.kind === 'member' ? await readPayee(viewer) : null;
  const left = abandoned === undefined ? null : await findOwnAbandoned(viewer, abandoned);
  return (
    <>
      <DashboardHead title="My portfolios" activeHref={path} />
      {left && (
        <FormMessage kind="success">
          {left.name} was closed. Its record stays at{' '}
          <SiteLink href={routes.portfolio(left.reference)}>its address</SiteLink>.
        </FormMessage>
      )}
      {portfolios.length > 0 ? (
        <>
          <ServiceTable portfolios={portfolios} />
          <p className={styles.more}>
            <ButtonLink href={routes.addTips()}>Add tip</ButtonLink>{' '}
            {portfolios.length < portfolioLimits.mostPortfolios ? (
              <ButtonLink look="secondary" href={routes.newPortfolio()}>
                Create another portfolio
              </ButtonLink>
            ) : (
              `You have ${portfolioLimits.mostPortfolios} portfolios, the most that a member may own. Close one before you create another.`
            )}
          </p>
        </>
      ) : (
        <EmptyState
          icon={<Icon of={Notebook} size="large" />}
          title={left ? 'You have no portfolio left' : 'You have no portfolio yet'}
          action={<ButtonLink href={routes.newPortfolio()}>Create a portfolio</ButtonLink>}
        >
          A portfolio is where a tipster publishes tips. Its record begins with the first of them, and nobody can change
          it afterwards.
        </EmptyState>
      )}
      <ClosedEarnings closed={closed} canAsk={canAskForPayout(paid)} timeZone={timeZone} />
      {closed.length > 0 && <MonthlyPayouts monthly={monthly} />}
      {paid && closed[0] && (
        <PayeePart {...paid} portfolio={closed[0].reference} isLinkOver={single(asked.payouts) === 'again'} />
      )}
    </>
  );
}
