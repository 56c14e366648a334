import { Lock } from 'lucide-react';
import { formatCount, formatUnits } from '@/lib/format';
import type { OddsDisplay } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { selectionHeading } from '@/lib/tips/rules';
import { multipleName } from '@/lib/odds/rules';
import type { TipLegView, TipView } from '@/lib/tips/schema';
import { Units } from '../ui/units';
import { Badge } from '../ui/badge';
import { Icon } from '../ui/icon';
import { SiteLink } from '../ui/site-link';
import { Moment } from '../formats/moment';
import { Odds } from '../formats/odds';
import { TotalOdds } from '../formats/total-odds';
import { OutcomeBadge } from '../ui/outcome-badge';
import { PriceNow } from '../formats/price-now';
import styles from './tip-row.module.scss';

type TipRowProps = { tip: TipView; timeZone: string; oddsDisplay: OddsDisplay; byline: boolean };

const lockWords = { hidden: 'Hidden until the start', members: 'For members until the start' };

function singleText(leg: TipLegView): string {
  const heading = selectionHeading(leg);
  return heading === leg.selectionName ? `${leg.selectionName}, ${leg.marketName.toLowerCase()}` : heading;
}

function headline({ legs, legCount, lock }: TipView): string {
  if (lock) return lockWords[lock];
  const [only] = legs;
  return legCount === 1 && only ? singleText(only) : multipleName(legCount);
}

/** A tip in a list: what was backed at which price and stake, and what became of it. */
export function TipRow({ tip, timeZone, oddsDisplay, byline }: TipRowProps) {
  const [settlement] = tip.settlements;
  return (
    <li className={styles.row}>
      <div>
        <SiteLink href={routes.tip(tip.portfolioReference, tip.reference)} className={styles.link}>
          {tip.lock && <Icon of={Lock} size="small" />}
          {headline(tip)}
        </SiteLink>
        <p className={styles.where}>
          {byline && (
            <>
              <SiteLink href={routes.portfolio(tip.portfolioReference)}>{tip.portfolioName}</SiteLink>
              {' · '}
            </>
          )}
          {tip.legs.map(({ fixtureName }) => fixtureName).join(' · ') || formatCount(tip.legCount, 'leg', 'legs')}
          {' · '}
          <Moment at={tip.firstStartsAt} style="day-time" timeZone={timeZone} />
        </p>
        <PriceNow tip={tip} oddsDisplay={oddsDisplay} />
      </div>
      <div className={styles.figures}>
        <span className={styles.price}>
          {tip.legs.length === 1 && tip.legs[0] ? (
            <Odds price={tip.legs[0].price} display={oddsDisplay} />
          ) : tip.totalOddsThousandths ? (
            <TotalOdds thousandths={tip.totalOddsThousandths} display={oddsDisplay} />
          ) : (
            '–'
          )}
        </span>
        <span className={styles.stake}>
          {formatUnits(tip.stakeHundredths)} u{tip.eachWay && ' each-way'}
        </span>
        <span className={styles.result}>
          {settlement ? (
            <>
              <OutcomeBadge outcome={settlement.outcome} /> <Units hundredths={settlement.profitHundredths} />
            </>
          ) : (
            <Badge tone="accent">{tip.started ? 'Awaiting result' : 'Open'}</Badge>
          )}
        </span>
      </div>
    </li>
  );
}
