import { routes } from '@/lib/routes';
import { Breadcrumb } from '../ui/breadcrumb';
import { LinkTabs } from '../ui/link-tabs';

const pages = ['manage', 'earnings', 'autobets'] as const;
const titles = { manage: 'Manage', earnings: 'Earnings', autobets: 'Autobets', post: 'New post', edit: 'Edit a post' } as const;

type OwnerHeadProps = { portfolio: { reference: string; name: string }; page: keyof typeof titles };

/** The head of the pages that a portfolio's owner alone sees. */
export function OwnerHead({ portfolio, page }: OwnerHeadProps) {
  return (
    <>
      <Breadcrumb
        trail={[
          { href: routes.dashboard(), title: 'Dashboard' },
          { href: routes.portfolio(portfolio.reference), title: portfolio.name },
        ]}
        here={titles[page]}
      />
      <h1>
        {titles[page]}: {portfolio.name}
      </h1>
      <LinkTabs
        label="Your portfolio"
        activeHref={routes.ownPortfolioPage(portfolio.reference, page === 'earnings' || page === 'autobets' ? page : 'manage')}
        tabs={pages.map((own) => ({ href: routes.ownPortfolioPage(portfolio.reference, own), title: titles[own] }))}
      />
    </>
  );
}
