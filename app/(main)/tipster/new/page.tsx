import type { Metadata } from 'next';
import { PenLine } from 'lucide-react';
import { PortfolioForm } from '@/components/portfolios/portfolio-form';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { SiteLink } from '@/components/ui/site-link';
import { pageMetadata } from '@/lib/pages/page';
import { pageViewer } from '@/lib/pages/page-viewer';
import { portfolioLimits } from '@/lib/portfolios/schema';
import { routes } from '@/lib/routes';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

const path = routes.newPortfolio();

export const metadata: Metadata = pageMetadata({
  title: 'Become a betting tipster: start your record',
  description:
    'Create a portfolio and publish tips whose record nobody can doubt: what a portfolio is, who can create one, and what stays on its record for good.',
  path,
});

export default async function NewPortfolioPage() {
  const viewer = await pageViewer();
  return (
    <>
      <Breadcrumb
        trail={[
          { href: routes.home(), title: 'Home' },
          { href: routes.tipsters(), title: 'Tipsters' },
        ]}
        here="Create a portfolio"
      />
      <h1>Create a portfolio</h1>
      <p className={styles.lead}>
        A portfolio is where a tipster publishes tips. Its record begins with the first of them, at a price that was on
        offer, and nobody can change it afterwards: not you, and not this site.
      </p>
      {viewer.kind === 'guest' && (
        <EmptyState
          icon={<Icon of={PenLine} size="large" />}
          title="Log in to create a portfolio"
          action={
            <span className={styles.ways}>
              <ButtonLink href={routes.login({ redirect_to: path })}>Log in</ButtonLink>
              <ButtonLink look="secondary" href={routes.register({ redirect_to: path })}>
                Sign up
              </ButtonLink>
            </span>
          }
        >
          You need an account to have a portfolio. You will come back here after logging in.
        </EmptyState>
      )}
      {viewer.kind === 'member' && !viewer.confirmed && (
        <p>
          Confirm your e-mail address first:{' '}
          <SiteLink href={routes.verify({ redirect_after_verify: path })}>enter the code that we sent you</SiteLink>.
        </p>
      )}
      {viewer.kind === 'member' && viewer.confirmed && (
        <div className={styles.form}>
          <PortfolioForm portfolio={null} limits={portfolioLimits} />
        </div>
      )}
    </>
  );
}
