import { formatAmount } from '@/lib/amounts';
import type { EarningBalance } from '@/lib/memberships/schema';
import { coolingOffDays } from '@/lib/money/rules';
import { Stat } from '../ui/stat';
import { Stats } from '../ui/stats';

/** What is owed to an owner or an affiliate in each currency: held, payable, on its way since its payout was requested, and paid out. */
export function EarningBalances({ balances }: { balances: readonly EarningBalance[] }) {
  return balances.map(({ currencyId, heldMinor, payableMinor, onTheWayMinor, paidMinor }) => (
    <Stats key={currencyId}>
      <Stat label="Held" note={`for ${coolingOffDays} days after a sale`}>
        {formatAmount(heldMinor, currencyId)}
      </Stat>
      <Stat label="Payable">{formatAmount(payableMinor, currencyId)}</Stat>
      <Stat label="On its way" note="payout requested">
        {formatAmount(onTheWayMinor, currencyId)}
      </Stat>
      <Stat label="Paid out">{formatAmount(paidMinor, currencyId)}</Stat>
    </Stats>
  ));
}
