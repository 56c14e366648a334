import type { SearchHit } from '@/lib/search/schema';
import { FollowButton } from '../portfolios/follow-button';
import { SiteLink } from '../ui/site-link';
import { HitText } from './hit-text';
import styles from './result-list.module.scss';

type ResultListProps = { label: string; hits: readonly SearchHit[]; terms: readonly string[]; timeZone: string };

/** Hits of one kind, best first. */
export function ResultList({ label, hits, terms, timeZone }: ResultListProps) {
  return (
    <ul className={styles.list} aria-label={label}>
      {hits.map((hit) => (
        <li key={hit.reference}>
          <SiteLink href={hit.path}>
            <HitText hit={hit} terms={terms} timeZone={timeZone} />
          </SiteLink>
          {hit.kind === 'portfolio' && <FollowButton portfolioReference={hit.reference} name={hit.title} />}
        </li>
      ))}
    </ul>
  );
}
