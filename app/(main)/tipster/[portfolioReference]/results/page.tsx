import type { Metadata } from 'next';
import { ScrollText } from 'lucide-react';
import { AdSlot } from '@/components/ads/ad-slot';
import { PortfolioHead } from '@/components/portfolios/portfolio-head';
import { TipList } from '@/components/tips/tip-list';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Pager } from '@/components/ui/pager';
import { SectionHeading } from '@/components/ui/section-heading';
import { portfolioMetadata, readPortfolioPage, skipFrom } from '@/lib/entry/portfolio-page';
import { viewing } from '@/lib/entry/viewing';
import { now as present } from '@/lib/platform/clock';
import { routes } from '@/lib/routes';
import { listTips } from '@/lib/tips/queries';

export const dynamic = 'force-dynamic';

type ResultsPageProps = { params: Promise<{ portfolioReference: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata({ params }: ResultsPageProps): Promise<Metadata> {
  const { portfolio } = await readPortfolioPage((await params).portfolioReference);
  return portfolioMetadata(portfolio, {
    title: `${portfolio.name}: results`,
    description: `Every settled tip of ${portfolio.name}, with the price taken, the stake and the outcome of each.`,
    path: routes.portfolioPage(portfolio.reference, 'results'),
  });
}

export default async function ResultsPage({ params, searchParams }: ResultsPageProps) {
  const { viewer, portfolio } = await readPortfolioPage((await params).portfolioReference);
  const skip = skipFrom((await searchParams).skip);
  const { items, next } = await listTips(viewer, portfolio.reference, { state: 'settled', skip }, present());
  const here = routes.portfolioPage(portfolio.reference, 'results');
  return (
    <>
      <PortfolioHead portfolio={portfolio} activeHref={here} timeZone={viewing.timeZone} />
      <SectionHeading>Results</SectionHeading>
      {items.length > 0 ? (
        <TipList tips={items} timeZone={viewing.timeZone} oddsDisplay={viewing.oddsDisplay} />
      ) : (
        <EmptyState icon={<Icon of={ScrollText} size="large" />} title={skip > 0 ? 'There are no older results' : 'No tip was settled yet'}>
          {skip > 0 ? 'The newest ones are on the first page.' : 'Each result appears here once its tip is settled.'}
        </EmptyState>
      )}
      <Pager back={skip > 0 ? { href: here, title: 'Newest' } : null} on={next === null ? null : { href: routes.portfolioPage(portfolio.reference, 'results', { skip: next }), title: 'Older' }} />
      <AdSlot name="tipster" />
    </>
  );
}
