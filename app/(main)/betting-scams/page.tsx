import { ContentIndex, type ContentIndexProps, indexMetadata } from '../_sections/content-index';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => indexMetadata('betting-scams');

export default function BettingScamIndexPage({ searchParams }: ContentIndexProps) {
  return <ContentIndex kind="betting-scams" searchParams={searchParams} />;
}
