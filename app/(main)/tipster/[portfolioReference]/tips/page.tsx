import type { Metadata } from 'next';
import { ScrollText } from 'lucide-react';
import { AdSlot } from '@/components/ads/ad-slot';
import { PortfolioHead } from '@/components/portfolios/portfolio-head';
import { ReadingPlace } from '@/components/portfolios/reading-place';
import { TipList } from '@/components/tips/tip-list';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Pager } from '@/components/ui/pager';
import { SectionHeading } from '@/components/ui/section-heading';
import { portfolioMetadata, readPortfolioPage, skipFrom } from '@/lib/entry/portfolio-page';
import { viewing } from '@/lib/entry/viewing';
import { now as present } from '@/lib/platform/clock';
import { routes } from '@/lib/routes';
import { listTips, tipsAPage } from '@/lib/tips/queries';

export const dynamic = 'force-dynamic';

type TipsPageProps = { params: Promise<{ portfolioReference: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata({ params }: TipsPageProps): Promise<Metadata> {
  const { portfolio } = await readPortfolioPage((await params).portfolioReference);
  return portfolioMetadata(portfolio, {
    title: `${portfolio.name}: tips`,
    description: `Every tip of ${portfolio.name}, with the price taken, the stake and the outcome of each.`,
    path: routes.portfolioPage(portfolio.reference, 'tips'),
  });
}

export default async function TipsPage({ params, searchParams }: TipsPageProps) {
  const { viewer, portfolio } = await readPortfolioPage((await params).portfolioReference);
  const skip = skipFrom((await searchParams).skip);
  const { items, next } = await listTips(viewer, portfolio.reference, { state: 'all', skip }, present());
  const here = routes.portfolioPage(portfolio.reference, 'tips');
  const list = <TipList tips={items} timeZone={viewing.timeZone} oddsDisplay={viewing.oddsDisplay} />;
  return (
    <>
      <PortfolioHead portfolio={portfolio} activeHref={here} timeZone={viewing.timeZone} />
      <SectionHeading>Tips</SectionHeading>
      {items.some(({ lock }) => lock !== null) ? (
        <ReadingPlace part="tips" portfolio={portfolio.reference} skip={skip} most={tipsAPage}>
          {list}
        </ReadingPlace>
      ) : items.length > 0 ? (
        list
      ) : (
        <EmptyState icon={<Icon of={ScrollText} size="large" />} title={skip > 0 ? 'There are no older tips' : 'No tip was published yet'}>
          {skip > 0 ? 'The newest ones are on the first page.' : 'What this portfolio publishes appears here at once.'}
        </EmptyState>
      )}
      <Pager back={skip > 0 ? { href: here, title: 'Newest' } : null} on={next === null ? null : { href: routes.portfolioPage(portfolio.reference, 'tips', { skip: next }), title: 'Older' }} />
      <AdSlot name="tipster" />
    </>
  );
}
