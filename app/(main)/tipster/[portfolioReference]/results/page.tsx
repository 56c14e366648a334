import type { Metadata } from 'next';
import { ScrollText } from 'lucide-react';
import { TipList } from '@/components/tips/tip-list';
import { portfolioPageMetadata, readPortfolioPage, skipFrom } from '@/lib/pages/portfolio-page';
import { defaultView } from '@/lib/pages/default-view';
import { Markup } from '@/lib/pages/markup';
import { now as present } from '@/lib/platform/clock';
import { listTips } from '@/lib/tips/queries';
import { PortfolioListing } from '../_sections/portfolio-listing';

export const dynamic = 'force-dynamic';

type ResultsPageProps = {
  params: Promise<{ portfolioReference: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: ResultsPageProps): Promise<Metadata> {
  const { portfolio } = await readPortfolioPage((await params).portfolioReference);
  return portfolioPageMetadata(portfolio, 'results');
}

export default async function ResultsPage({ params, searchParams }: ResultsPageProps) {
  const { viewer, portfolio } = await readPortfolioPage((await params).portfolioReference);
  const skip = skipFrom((await searchParams).skip);
  const { items, next } = await listTips(viewer, portfolio.reference, { state: 'settled', skip }, present());
  return (
    <Markup>
      <PortfolioListing
        portfolio={portfolio}
        page="results"
        title="Results"
        empty={{
          icon: ScrollText,
          title: 'No tips have been settled yet',
          text: 'Each result appears here once its tip is settled.',
          noOlder: 'There are no older results',
        }}
        skip={skip}
        next={next}
      >
        {items.length > 0 ? (
          <TipList tips={items} timeZone={defaultView.timeZone} oddsDisplay={defaultView.oddsDisplay} />
        ) : null}
      </PortfolioListing>
    </Markup>
  );
}
