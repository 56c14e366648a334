import { formatAmount } from '@/lib/amounts';
import { formatDate } from '@/lib/format';
import type { Receipt } from '@/lib/money/schema';
import { routes } from '@/lib/routes';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Time } from '../ui/time';

/** The receipts of a member, the newest first. */
export function ReceiptTable({ receipts, timeZone }: { receipts: readonly Receipt[]; timeZone: string }) {
  return (
    <Table caption="Your receipts" captionHidden>
      <thead>
        <tr>
          <th scope="col">Receipt</th>
          <th scope="col">Date</th>
          <th scope="col">For</th>
          <FigureHead>Amount</FigureHead>
        </tr>
      </thead>
      <tbody>
        {receipts.map(({ number, issuedAt, description, isRefund, amountMinor, currencyId }) => (
          <tr key={number}>
            <th scope="row">
              <SiteLink href={routes.receipt(number)}>No. {number}</SiteLink>
            </th>
            <td>
              <Time dateTime={issuedAt}>{formatDate(issuedAt, { timeZone, style: 'day' })}</Time>
            </td>
            <td>
              {isRefund && 'Refund: '}
              {description}
            </td>
            <FigureCell>{formatAmount(amountMinor, currencyId)}</FigureCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
