import { Notebook } from 'lucide-react';
import type { Metadata } from 'next';
import { DashboardHead } from '@/components/account/dashboard-head';
import { ServiceTable } from '@/components/account/service-table';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { pageMetadata } from '@/lib/entry/page';
import { listManagedPortfolios } from '@/lib/portfolios/queries/managed';
import { routes } from '@/lib/routes';
import { readMember } from '../_sections/read-member';

export const dynamic = 'force-dynamic';

const path = routes.dashboard('services');

export const metadata: Metadata = pageMetadata({ title: 'Services', description: 'The portfolios in which you publish tips.', path, index: false });

export default async function ServicesPage() {
  const { viewer, now } = await readMember(path);
  const portfolios = await listManagedPortfolios(viewer, now);
  return (
    <>
      <DashboardHead title="Services" activeHref={path} />
      {portfolios.length > 0 ? (
        <ServiceTable portfolios={portfolios} />
      ) : (
        <EmptyState icon={<Icon of={Notebook} size="large" />} title="You have no portfolio yet" action={<ButtonLink href={routes.newPortfolio()}>Create a portfolio</ButtonLink>}>
          A portfolio is where a tipster publishes tips. Its record begins with the first of them, and nobody can change it afterwards.
        </EmptyState>
      )}
    </>
  );
}
