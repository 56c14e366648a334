import { ContentIndex, type ContentIndexProps, indexMetadata } from '../_sections/content-index';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => indexMetadata('betting-guides');

export default function BettingGuideIndexPage({ searchParams }: ContentIndexProps) {
  return <ContentIndex kind="betting-guides" searchParams={searchParams} />;
}
