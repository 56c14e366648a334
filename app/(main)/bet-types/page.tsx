import { ContentIndex, type ContentIndexProps, indexMetadata } from '../_sections/content-index';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => indexMetadata('bet-types');

export default function BetTypeIndexPage({ searchParams }: ContentIndexProps) {
  return <ContentIndex kind="bet-types" searchParams={searchParams} />;
}
