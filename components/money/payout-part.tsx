import type { EarningBalance } from '@/lib/memberships/schema';
import type { OwnPayout } from '@/lib/money/schema';
import { EarningBalances } from './earning-balances';
import { PayoutForm } from './payout-form';
import { PayoutTable } from './payout-table';

type PayoutPartProps = {
  /** The portfolio that earned it; null for what one earns as an affiliate. */
  portfolio: string | null;
  balances: readonly EarningBalance[];
  payouts: readonly OwnPayout[];
  /** False while the provider cannot pay the owner. */
  canAsk: boolean;
  timeZone: string;
};

/** What is owed in each currency, the way to request it, and the payouts so far. */
export function PayoutPart({ portfolio, balances, payouts, canAsk, timeZone }: PayoutPartProps) {
  return (
    <>
      <EarningBalances balances={balances} />
      {canAsk &&
        balances
          .filter(({ payableMinor }) => payableMinor > 0)
          .map(({ currencyId, payableMinor }) => (
            <PayoutForm key={currencyId} portfolio={portfolio} currencyId={currencyId} payableMinor={payableMinor} />
          ))}
      <PayoutTable payouts={payouts} timeZone={timeZone} />
    </>
  );
}
