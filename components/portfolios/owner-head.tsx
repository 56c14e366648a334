import { routes } from '@/lib/routes';
import { Breadcrumb } from '../ui/breadcrumb';
import { LinkTabs } from '../ui/link-tabs';

const pages = ['manage', 'earnings', 'autobets'] as const;
const isPage = (page: string): page is (typeof pages)[number] => pages.some((own) => own === page);
const titles = {
  manage: 'Manage',
  earnings: 'Earnings',
  autobets: 'Autobets',
  post: 'New post',
  edit: 'Edit a post',
} as const;

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
        activeHref={
          page === 'post'
            ? routes.newPost(portfolio.reference)
            : routes.ownPortfolioPage(portfolio.reference, isPage(page) ? page : 'manage')
        }
        tabs={[
          { href: routes.ownPortfolioPage(portfolio.reference, 'manage'), title: titles.manage },
          { href: routes.newPost(portfolio.reference), title: titles.post },
          { href: routes.ownPortfolioPage(portfolio.reference, 'earnings'), title: titles.earnings },
          { href: routes.ownPortfolioPage(portfolio.reference, 'autobets'), title: titles.autobets },
        ]}
      />
    </>
  );
}
