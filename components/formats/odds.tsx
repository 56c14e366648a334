import { formatOdds } from '@/lib/format';
import type { Price } from '@/lib/odds/schema';
import type { OddsDisplay } from '@/lib/reference/schema';

/** A price in the odds format of the page; a member's own is laid over it in the browser. */
export function Odds({ price, display }: { price: Price; display: OddsDisplay }) {
  const { oddsThousandths, fraction } = price;
  return (
    <data
      value={oddsThousandths}
      data-odds={oddsThousandths}
      {...(fraction && { 'data-fraction': `${fraction.numerator}/${fraction.denominator}` })}
    >
      {formatOdds(price, display)}
    </data>
  );
}
