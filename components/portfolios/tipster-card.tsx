import { formatCount, formatNumber, formatPercent } from '@/lib/format';
import { routes } from '@/lib/routes';
import type { ComparedPortfolio } from '@/lib/stats/schema';
import { FollowButton } from '../account/follow-button';
import { Badge } from '../ui/badge';
import { SiteLink } from '../ui/site-link';
import styles from './tipster-card.module.scss';
import { Units } from './units';

type TipsterCardProps = { portfolio: ComparedPortfolio };

/** A tipster in a few figures: what was won and lost over how many tips, and who follows. */
export function TipsterCard({ portfolio: { reference, name, demo, followers, statistics } }: TipsterCardProps) {
  const { advised, tips, tooFew } = statistics;
  return (
    <article className={styles.card}>
      <h3 className={styles.name}>
        <SiteLink href={routes.portfolio(reference)}>{name}</SiteLink>
      </h3>
      <p className={styles.note}>
        {formatCount(followers, 'follower', 'followers')}
        {demo && <Badge tone="quiet">Demo data</Badge>}
        {tooFew && <Badge tone="notice">Too few to judge</Badge>}
      </p>
      <dl className={styles.figures}>
        <div>
          <dt>Profit</dt>
          <dd>
            <Units hundredths={advised.profitHundredths} />
          </dd>
        </div>
        <div>
          <dt>Yield</dt>
          <dd>{advised.yieldPercent ? formatPercent(advised.yieldPercent.value, { sign: true }) : '–'}</dd>
        </div>
        <div>
          <dt>Tips</dt>
          <dd>{formatNumber(tips)}</dd>
        </div>
      </dl>
      <div className={styles.follow}>
        <FollowButton portfolioReference={reference} name={name} />
      </div>
    </article>
  );
}
