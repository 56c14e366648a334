import { priceOf } from '@/lib/bets/rules';
import { formatOdds, formatTotalOdds } from '@/lib/format';
import { totalOddsThousandths } from '@/lib/odds/rules';
import type { Price } from '@/lib/odds/schema';
import type { OddsDisplay } from '@/lib/reference/schema';
import { isBelow } from '@/lib/tips/rules';
import { FormMessage } from '../ui/form-message';
import type { SlipForm } from './use-slip-form';

type Below = { key: string; what: string; now: string; minPrice: Price };

function tipsBelow({ slip, stateOfLeg }: SlipForm, display: OddsDisplay): Below[] {
  const tips = new Map(slip.legs.flatMap(({ ofTip }) => (ofTip ? [[ofTip.reference, ofTip] as const] : [])));
  return [...tips.values()].flatMap(({ reference, legs: count, minPrice }): Below[] => {
    const legs = slip.legs.filter(({ ofTip }) => ofTip?.reference === reference);
    const prices = legs.map((leg) => {
      const state = stateOfLeg(leg);
      return state.kind === 'moved' ? state.now : priceOf(leg);
    });
    const [price] = prices;
    // Of a tip that is in the slip in part, its price says nothing.
    if (legs.length !== count || !price || !isBelow(prices, minPrice)) return [];
    const now = count === 1 ? formatOdds(price, display) : formatTotalOdds(totalOddsThousandths(prices), display);
    return [{ key: reference, what: legs.map(({ selectionName }) => selectionName).join(', '), now, minPrice }];
  });
}

/** Ours (0076): which tips in the slip stand below the price that their tipsters would take. */
export function SlipBelow({ form, display }: { form: SlipForm; display: OddsDisplay }) {
  return tipsBelow(form, display).map(({ key, what, now, minPrice }) => (
    <FormMessage key={key} kind="error">
      Price gone: {what} is {now} in your slip; the tipster’s minimum is {formatOdds(minPrice, display)}. Look for a
      better price, or leave it out.
    </FormMessage>
  ));
}
