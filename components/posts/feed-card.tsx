import type { FeedItem } from '@/lib/notifications/schema';
import type { OddsDisplay } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { PostList } from './post-list';
import { Badge } from '../ui/badge';
import { SiteLink } from '../ui/site-link';
import { Moment } from '../formats/moment';
import styles from './feed-card.module.scss';
import { TipList } from '../tips/tip-list';

type FeedCardProps = { item: FeedItem; timeZone: string; oddsDisplay: OddsDisplay };

/** Spec §2.6, feed card: what a followed tipster published, when, and where it stands. */
export function FeedCard({ item, timeZone, oddsDisplay }: FeedCardProps) {
  const { portfolioReference, portfolioName, demo } = item.kind === 'tip' ? item.tip : item.post;
  return (
    <article className={styles.card}>
      <p className={styles.facts}>
        <span>
          <SiteLink href={routes.portfolio(portfolioReference)}>{portfolioName}</SiteLink>{' '}
          {item.kind === 'tip' ? 'published a tip' : 'wrote a post'}
        </span>
        {demo && <Badge tone="quiet">Demo data</Badge>}
        {item.kind === 'tip' && <Moment at={item.at} style="day-time" timeZone={timeZone} />}
      </p>
      {item.kind === 'tip' ? (
        <TipList tips={[item.tip]} timeZone={timeZone} oddsDisplay={oddsDisplay} />
      ) : (
        <PostList posts={[item.post]} timeZone={timeZone} />
      )}
    </article>
  );
}
