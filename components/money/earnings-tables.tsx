import { formatAmount } from '@/lib/amounts';
import { formatMonth, formatPercent } from '@/lib/format';
import type { Earnings } from '@/lib/memberships/schema';
import { periodTitle } from '../memberships/words';
import { Stat } from '../ui/stat';
import { Stats } from '../ui/stats';
import { Table } from '../ui/table';
import { Time } from '../ui/time';

/** What a portfolio earned: held, payable and paid out in each currency, who comes and goes, and the months by plan. */
export function EarningsTables({ earnings: { balances, months, shares, promises, members } }: { earnings: Earnings }) {
  return (
    <>
      {balances.map(({ currencyId, heldMinor, payableMinor, paidMinor }) => (
        <Stats key={currencyId}>
          <Stat label="Held" note="until cooling-off is over">
            {formatAmount(heldMinor, currencyId)}
          </Stat>
          <Stat label="Payable">{formatAmount(payableMinor, currencyId)}</Stat>
          <Stat label="Paid out">{formatAmount(paidMinor, currencyId)}</Stat>
        </Stats>
      ))}
      <Stats>
        <Stat label="Members">{members.now}</Stat>
        <Stat label="New" note="past 30 days">
          {members.new}
        </Stat>
        <Stat label="Left" note="past 30 days">
          {members.left}
        </Stat>
        {members.churnPercent !== null && (
          <Stat label="Churn" note="of the members 30 days ago">
            {formatPercent(members.churnPercent)}
          </Stat>
        )}
        <Stat label="Leaving" note="cancelled, still has access">
          {members.leaving}
        </Stat>
      </Stats>
      {months.length > 0 && (
        <Table caption="By month and plan">
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col">Plan</th>
              <th scope="col">Sales</th>
              <th scope="col">Sold</th>
              <th scope="col">Discounts</th>
              <th scope="col">Refunded</th>
              <th scope="col">Charged back</th>
              <th scope="col">Fee</th>
              <th scope="col">Earned</th>
            </tr>
          </thead>
          <tbody>
            {months.map((month) => (
              <tr key={`${month.month}-${month.period}-${month.currencyId}`}>
                <th scope="row">
                  <Time dateTime={month.month}>{formatMonth(month.month)}</Time>
                </th>
                <td>{periodTitle[month.period]}</td>
                <td>{month.sales}</td>
                <td>{formatAmount(month.soldMinor, month.currencyId)}</td>
                <td>{formatAmount(month.discountMinor, month.currencyId)}</td>
                <td>{formatAmount(month.refundedMinor, month.currencyId)}</td>
                <td>{formatAmount(month.chargedBackMinor, month.currencyId)}</td>
                <td>{formatAmount(month.feeMinor, month.currencyId)}</td>
                <td>{formatAmount(month.earnedMinor, month.currencyId)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {shares.length > 0 && (
        <Table caption="Shares of Tipledger Pro">
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col">Earned</th>
            </tr>
          </thead>
          <tbody>
            {shares.map(({ month, currencyId, earnedMinor }) => (
              <tr key={`${month}-${currencyId}`}>
                <th scope="row">
                  <Time dateTime={month}>{formatMonth(month)}</Time>
                </th>
                <td>{formatAmount(earnedMinor, currencyId)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {promises.kept + promises.missed > 0 && (
        <p>
          Periods sold with a guarantee: {promises.kept} met, {promises.missed} missed.
        </p>
      )}
    </>
  );
}
