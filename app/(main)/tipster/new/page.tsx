import type { Metadata } from 'next';
import { PenLine } from 'lucide-react';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { pageMetadata } from '@/lib/entry/page';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = pageMetadata({
  title: 'Open a portfolio',
  description: 'What a portfolio is, who can open one, and what stays on its record for good.',
  path: routes.newPortfolio(),
});

export default function NewPortfolioPage() {
  return (
    <>
      <Breadcrumb trail={[{ href: routes.home(), title: 'Home' }, { href: routes.tipsters(), title: 'Tipsters' }]} here="Open a portfolio" />
      <h1>Open a portfolio</h1>
      <EmptyState icon={<Icon of={PenLine} size="large" />} title="Portfolios cannot be opened here yet" action={<ButtonLink href={routes.register({ redirect_to: routes.newPortfolio() })}>Make an account</ButtonLink>}>
        A portfolio is where a tipster publishes tips. Its record begins with the first of them, at a price that was on offer, and nobody can change it afterwards. With an account you can follow the portfolios that are open.
      </EmptyState>
    </>
  );
}
