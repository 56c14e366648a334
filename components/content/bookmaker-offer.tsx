import type { SafeHtml } from '@/lib/content/schema';
import type { Bookmaker } from '@/lib/reference/schema';
import { Html } from '../ui/html';
import { Stat } from '../ui/stat';
import { Stats } from '../ui/stats';
import styles from './bookmaker-offer.module.scss';
import { Rating } from './rating';

type BookmakerOfferProps = {
  bookmaker: Pick<Bookmaker, 'name' | 'url' | 'rating' | 'description' | 'bulletPoints' | 'bonusOffer' | 'demo'>;
  terms: SafeHtml;
  /** Of 5, by the review; null where it gives none. */
  reviewRating: number | null;
  /** The country in which the bookmaker may not be shown, or null where it may. */
  notIn: string | null;
};

/** A bookmaker as it is on record: its ratings, what it is known for, its offer with the terms, and the way there, named as what it is. */
export function BookmakerOffer({ bookmaker, terms, reviewRating, notIn }: BookmakerOfferProps) {
  const { name, url, rating, description, bulletPoints, bonusOffer, demo } = bookmaker;
  return (
    <section aria-label={name} className={styles.offer}>
      <p>{description}</p>
      <Stats>
        <Stat label="This review">{reviewRating === null ? 'Not rated' : <Rating rating={reviewRating} />}</Stat>
        {rating !== null && (
          <Stat label="Rating among bookmakers" note="puts it before or after others at equal odds">
            {rating.toFixed(1)} of 10
          </Stat>
        )}
      </Stats>
      {bulletPoints.length > 0 && (
        <ul className={styles.points}>
          {bulletPoints.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      )}
      {notIn !== null ? (
        <p className={styles.note}>{`${name} is not shown in ${notIn}, so there is no offer and no link here.`}</p>
      ) : (
        <>
          {bonusOffer && (
            <div className={styles.bonus}>
              <p className={styles.headline}>{bonusOffer}</p>
              <div className={styles.terms}>
                <p>Terms of this offer</p>
                <Html html={terms} />
              </div>
            </div>
          )}
          {url && (
            <p className={styles.note}>
              <a href={url} rel="sponsored nofollow noopener">
                {new URL(url).host}
              </a>{' '}
              is an affiliate link: the operator of this site may be paid when you open an account through it. That
              changes neither the review nor the order of prices.
              {demo && ' Demo data: the firm is fictional, and its address leads nowhere.'} 18+
            </p>
          )}
        </>
      )}
    </section>
  );
}
