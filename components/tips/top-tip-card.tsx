import { formatCount, formatPercent } from '@/lib/format';
import type { OddsDisplay } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { legsText, selectionHeading } from '@/lib/tips/rules';
import { multipleName } from '@/lib/odds/rules';
import type { TopTip } from '@/lib/tips/schema';
import { FollowButton } from '../portfolios/follow-button';
import { Badge } from '../ui/badge';
import { SiteLink } from '../ui/site-link';
import { Moment } from '../formats/moment';
import { Odds } from '../formats/odds';
import { TotalOdds } from '../formats/total-odds';
import { PriceNow } from '../formats/price-now';
import styles from './top-tip-card.module.scss';

type TopTipCardProps = { top: TopTip; timeZone: string; oddsDisplay: OddsDisplay };

const legsNamed = 2;

/** A tip of today with the price taken, and the past 12 months of its tipster at advised stakes, which is why it is here. */
export function TopTipCard({ top: { tip, year }, timeZone, oddsDisplay }: TopTipCardProps) {
  const [only] = tip.legs;
  const isSingle = tip.legCount === 1 && only !== undefined;
  return (
    <article className={styles.card}>
      <p className={styles.when}>
        <Moment at={tip.firstStartsAt} style="day-time" timeZone={timeZone} />
        {tip.demo && <Badge tone="quiet">Demo data</Badge>}
      </p>
      <h3 className={styles.what}>
        <SiteLink href={routes.tip(tip.portfolioReference, tip.reference)}>
          {isSingle ? selectionHeading(only) : multipleName(tip.legCount)}
        </SiteLink>
      </h3>
      <p className={styles.where}>
        {isSingle
          ? `${only.marketName}, ${only.fixtureName}, odds with ${only.bookmakerName}`
          : legsText(tip.legs, legsNamed)}
        <PriceNow tip={tip} oddsDisplay={oddsDisplay} />
      </p>
      <p className={styles.price}>
        {isSingle ? (
          <Odds price={only.price} display={oddsDisplay} />
        ) : (
          <TotalOdds thousandths={tip.totalOddsThousandths ?? 0} display={oddsDisplay} />
        )}
      </p>
      <p className={styles.who}>
        <SiteLink href={routes.portfolio(tip.portfolioReference)}>{tip.portfolioName}</SiteLink>
        <span className={styles.year}>
          {year.advised.yieldPercent && `Yield ${formatPercent(year.advised.yieldPercent.value, { sign: true })}, `}
          {formatCount(year.tips, 'tip', 'tips')}
        </span>
      </p>
      <div className={styles.follow}>
        <FollowButton portfolioReference={tip.portfolioReference} name={tip.portfolioName} />
      </div>
    </article>
  );
}
