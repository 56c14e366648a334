import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { AdSlot } from '@/components/ads/ad-slot';
import { PortfolioHead } from '@/components/portfolios/portfolio-head';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Pager } from '@/components/ui/pager';
import { SectionHeading } from '@/components/ui/section-heading';
import { defaultView } from '@/lib/pages/default-view';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { routes } from '@/lib/routes';

type PortfolioListingProps = {
  portfolio: PortfolioView;
  page: 'tips' | 'posts' | 'results';
  title: string;
  aside?: ReactNode;
  /** What stands instead of an empty list: on its first page, with what comes there, and behind its last. */
  empty: { icon: LucideIcon; title: string; text: string; noOlder: string };
  skip: number;
  next: number | null;
  /** The list; null where nothing is in it. */
  children: ReactNode;
};

/** A page of a portfolio that lists what it published, the newest first, a part at a time. */
export function PortfolioListing({
  portfolio,
  page,
  title,
  aside,
  empty,
  skip,
  next,
  children,
}: PortfolioListingProps) {
  const here = routes.portfolioPage(portfolio.reference, page);
  return (
    <>
      <PortfolioHead portfolio={portfolio} activeHref={here} timeZone={defaultView.timeZone} />
      <SectionHeading aside={aside}>{title}</SectionHeading>
      {children ?? (
        <EmptyState icon={<Icon of={empty.icon} size="large" />} title={skip > 0 ? empty.noOlder : empty.title}>
          {skip > 0 ? 'The newest ones are on the first page.' : empty.text}
        </EmptyState>
      )}
      <Pager
        back={skip > 0 ? { href: here, title: 'Newest' } : null}
        on={
          next === null
            ? null
            : { href: routes.portfolioPage(portfolio.reference, page, { skip: next }), title: 'Older' }
        }
      />
      <AdSlot name="tipster" />
    </>
  );
}
