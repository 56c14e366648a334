import { formatAmount } from '@/lib/amounts';
import type { MoneyCurrencyId } from '@/lib/money/schema';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { Table } from '../ui/table';

type BooksTableProps = {
  balances: readonly { kind: string; currencyId: MoneyCurrencyId; accounts: number; amountMinor: number }[];
};

/** The accounts of the books by kind and currency. */
export function BooksTable({ balances }: BooksTableProps) {
  if (balances.length === 0) return <p>Nothing has been booked yet.</p>;
  return (
    <Table caption="Accounts by kind" captionHidden>
      <thead>
        <tr>
          <th scope="col">Kind</th>
          <FigureHead>Accounts</FigureHead>
          <FigureHead>Balance</FigureHead>
        </tr>
      </thead>
      <tbody>
        {balances.map(({ kind, currencyId, accounts, amountMinor }) => (
          <tr key={`${kind}-${currencyId}`}>
            <th scope="row">{kind}</th>
            <FigureCell>{accounts}</FigureCell>
            <FigureCell>{formatAmount(amountMinor, currencyId)}</FigureCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
