import { formatTotalOdds } from '@/lib/format';
import type { OddsDisplay } from '@/lib/reference/schema';

/** The product of the prices of several legs in the odds format of the page; a member's own is laid over it in the browser. */
export function TotalOdds({ thousandths, display }: { thousandths: number; display: OddsDisplay }) {
  return (
    <data value={thousandths} data-total-odds={thousandths}>
      {formatTotalOdds(thousandths, display)}
    </data>
  );
}
