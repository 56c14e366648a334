import { Rating } from '@/components/content/rating';
import { BookmakerMark } from '@/components/ui/bookmaker-mark';
import { bookmakerMark } from '@/components/formats/marks';
import { listBookmakers } from '@/lib/reference/queries';
import { ContentIndex, type ContentIndexProps, indexMetadata } from '../_sections/content-index';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => indexMetadata('bookmaker-reviews');

export default async function BookmakerReviewIndexPage({ searchParams }: ContentIndexProps) {
  const bookmakers = await listBookmakers();
  return (
    <ContentIndex
      kind="bookmaker-reviews"
      searchParams={searchParams}
      more={({ facts }) => {
        const bookmaker = bookmakers.find(({ id }) => id === facts.bookmakerId);
        return (
          <span className={styles.rated} {...{ [bookmakerMark]: facts.bookmakerId }}>
            {bookmaker && <BookmakerMark name={bookmaker.name} colour={bookmaker.backgroundColour} />}
            {facts.rating === null ? 'Not rated' : <Rating rating={facts.rating} />}
          </span>
        );
      }}
    />
  );
}
