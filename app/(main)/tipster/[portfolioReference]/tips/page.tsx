import type { Metadata } from 'next';
import { ScrollText } from 'lucide-react';
import { Island } from '@/components/islands/island';
import { TipList } from '@/components/tips/tip-list';
import { portfolioPageMetadata, readPortfolioPage, skipFrom } from '@/lib/pages/portfolio-page';
import { defaultView } from '@/lib/pages/default-view';
import { Markup } from '@/lib/pages/markup';
import { now as present } from '@/lib/platform/clock';
import { listTips, tipsAPage } from '@/lib/tips/queries';
import { PortfolioListing } from '../_sections/portfolio-listing';

export const dynamic = 'force-dynamic';

type TipsPageProps = {
  params: Promise<{ portfolioReference: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: TipsPageProps): Promise<Metadata> {
  const { portfolio } = await readPortfolioPage((await params).portfolioReference);
  return portfolioPageMetadata(portfolio, 'tips');
}

export default async function TipsPage({ params, searchParams }: TipsPageProps) {
  const { viewer, portfolio } = await readPortfolioPage((await params).portfolioReference);
  const skip = skipFrom((await searchParams).skip);
  const { items, next } = await listTips(viewer, portfolio.reference, { state: 'all', skip }, present());
  const list = <TipList tips={items} timeZone={defaultView.timeZone} oddsDisplay={defaultView.oddsDisplay} />;
  return (
    <Markup>
      <PortfolioListing
        portfolio={portfolio}
        page="tips"
        title="Tips"
        empty={{
          icon: ScrollText,
          title: 'No tips have been published yet',
          text: 'What this portfolio publishes appears here at once.',
          noOlder: 'There are no older tips',
        }}
        skip={skip}
        next={next}
      >
        {items.some(({ lock }) => lock !== null) ? (
          <Island name="own tips" props={{ portfolio: portfolio.reference, skip, most: tipsAPage }}>
            {list}
          </Island>
        ) : items.length > 0 ? (
          list
        ) : null}
      </PortfolioListing>
    </Markup>
  );
}
