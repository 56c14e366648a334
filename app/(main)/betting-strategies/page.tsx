import { ContentIndex, type ContentIndexProps, indexMetadata } from '../_sections/content-index';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => indexMetadata('betting-strategies');

export default function BettingStrategyIndexPage({ searchParams }: ContentIndexProps) {
  return <ContentIndex kind="betting-strategies" searchParams={searchParams} />;
}
