import styles from './rating.module.scss';

type RatingProps = { rating: number };

const star = 'M10 1.8l2.5 5.2 5.7.8-4.1 4 1 5.7L10 14.8l-5.1 2.7 1-5.7-4.1-4 5.7-.8z';
const places = [1, 2, 3, 4, 5];

/** A rating of 5 in halves: said in figures, and drawn. */
export function Rating({ rating }: RatingProps) {
  return (
    <span className={styles.rating}>
      <svg viewBox="0 0 100 20" width="80" height="16" aria-hidden="true">
        {places.map((place) => (
          <g key={place} transform={`translate(${(place - 1) * 20} 0)`}>
            <path d={star} className={styles.outline} />
            {rating >= place && <path d={star} className={styles.full} />}
            {rating === place - 0.5 && <path d="M10 1.8v13L4.9 17.5l1-5.7-4.1-4 5.7-.8z" className={styles.full} />}
          </g>
        ))}
      </svg>
      <span>{rating} of 5</span>
    </span>
  );
}
