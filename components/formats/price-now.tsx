import type { OddsDisplay } from '@/lib/reference/schema';
import { type PriceStill, priceStill } from '@/lib/tips/rules';
import type { TipView } from '@/lib/tips/schema';
import { tipNowMark } from './marks';
import { Odds } from './odds';
import styles from './price-now.module.scss';
import { TotalOdds } from './total-odds';

/** The words before the price of an open tip: "Price gone: best now". */
export function priceLead({ best, totalThousandths, isGone }: PriceStill): string {
  const isOffered = best !== null || totalThousandths !== null;
  if (isGone) return isOffered ? 'Price gone: best now ' : 'Price gone: no bookmaker offers it now';
  return isOffered ? 'Best now ' : 'No bookmaker offers it now';
}

/**
 * What the price of an open tip is now, marked when it has gone below what its tipster would take; nothing of other tips. Its elements stand
 * whether there is a price or not, so that a member of another country can be shown their own in the same places.
 */
export function PriceNow({ tip, oddsDisplay }: { tip: TipView; oddsDisplay: OddsDisplay }) {
  const still = priceStill(tip);
  if (!still) return null;
  const { best, totalThousandths, minPrice, isGone } = still;
  return (
    <span className={styles.now} data-gone={isGone} {...{ [tipNowMark]: tip.reference }}>
      <span>{priceLead(still)}</span>
      <span>
        {best ? (
          <Odds price={best} display={oddsDisplay} />
        ) : (
          totalThousandths !== null && <TotalOdds thousandths={totalThousandths} display={oddsDisplay} />
        )}
      </span>
      {minPrice && (
        <span>
          , min. <Odds price={minPrice} display={oddsDisplay} />
        </span>
      )}
    </span>
  );
}
