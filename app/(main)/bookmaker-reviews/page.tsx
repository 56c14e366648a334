import { Rating } from '@/components/content/rating';
import { ContentIndex, type ContentIndexProps, indexMetadata } from '../_sections/content-index';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => indexMetadata('bookmaker-reviews');

export default function BookmakerReviewIndexPage({ searchParams }: ContentIndexProps) {
  return (
    <ContentIndex
      kind="bookmaker-reviews"
      searchParams={searchParams}
      more={({ facts }) => (facts.rating === null ? 'Not rated' : <Rating rating={facts.rating} />)}
    />
  );
}
