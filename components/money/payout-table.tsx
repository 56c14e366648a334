import { formatAmount } from '@/lib/amounts';
import { formatDate } from '@/lib/format';
import { payoutBoundsIn } from '@/lib/money/rules';
import type { OwnPayout } from '@/lib/money/schema';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { Table } from '../ui/table';
import { Time } from '../ui/time';

type PayoutTableProps = { payouts: readonly OwnPayout[]; timeZone: string };

/** The payouts that an owner requested, the newest first, each with where it stands and, where it failed, why; nothing where there are none. */
export function PayoutTable({ payouts, timeZone }: PayoutTableProps) {
  if (payouts.length === 0) return null;
  const day = (iso: string) => <Time dateTime={iso}>{formatDate(iso, { timeZone, style: 'day' })}</Time>;
  return (
    <Table caption="Payouts">
      <thead>
        <tr>
          <th scope="col">Requested</th>
          <FigureHead>Amount</FigureHead>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {payouts.map(({ at, changedAt, currencyId, amountMinor, status, because }) => (
          <tr key={`${at} ${currencyId} ${amountMinor}`}>
            <th scope="row">{day(at)}</th>
            <FigureCell>{formatAmount(amountMinor, currencyId)}</FigureCell>
            <td>
              {status === 'asked' &&
                `Staff check it first, as it is above ${formatAmount(payoutBoundsIn(currencyId).mostWithoutStaff, currencyId)}`}
              {status === 'approved' && 'On its way'}
              {status === 'paid' && <>Paid on {day(changedAt)}</>}
              {status === 'failed' && (
                <>
                  Failed on {day(changedAt)}. {because !== null && `${sentence(because)} `}The amount is payable again.
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
