import { formatAmount } from '@/lib/amounts';
import { formatDate } from '@/lib/format';
import type { EarningPosting } from '@/lib/memberships/schema';
import { VisuallyHidden } from '../ui/visually-hidden';
import styles from './earning-postings.module.scss';

const titles: Readonly<Record<EarningPosting['kind'], string>> = {
  sale: 'Sale',
  refund: 'Refund',
  chargeback: 'Chargeback',
  affiliate: 'Affiliate’s fee, from our share',
  'affiliate-back': 'Affiliate’s fee taken back',
  fee: 'Payment provider’s fee, from our share',
  share: 'Share of Tipledger Pro',
  'share-back': 'Share of Tipledger Pro taken back',
};

// By the account of a line: what it is to the owner, and whether the page shows it the other way round.
const accounts: Readonly<Record<string, { title: string; sign: 1 | -1 } | undefined>> = {
  clearing: { title: 'Price', sign: -1 },
  tax: { title: 'Tax', sign: 1 },
  platform: { title: 'Our share', sign: 1 },
  held: { title: 'Your share', sign: 1 },
  payable: { title: 'Your share', sign: 1 },
  refunds: { title: 'Paid back', sign: 1 },
  chargebacks: { title: 'Charged back', sign: 1 },
  'affiliate-held': { title: 'Affiliate', sign: 1 },
  'affiliate-payable': { title: 'Affiliate', sign: 1 },
  fees: { title: 'Provider', sign: -1 },
};

function linesOf({ kind, lines }: EarningPosting): { title: string; amountMinor: number; currencyId: number }[] {
  return lines.flatMap(({ account, currencyId, amountMinor }) => {
    const known = accounts[account];
    // A provider's fee is taken from what it holds of ours: the same amount once more.
    return known && !(kind === 'fee' && account === 'clearing')
      ? [{ title: known.title, currencyId, amountMinor: known.sign * amountMinor }]
      : [];
  });
}

type EarningPostingsProps = {
  postings: readonly EarningPosting[];
  /** Postings of the row that are in the file only. */
  more: number;
  /** The row that they are behind, in words. */
  row: string;
  timeZone: string;
};

/** The postings behind a row of the earnings, which it opens to: each with what the price went to. */
export function EarningPostings({ postings, more, row, timeZone }: EarningPostingsProps) {
  const count = postings.length + more;
  return (
    <details className={styles.postings}>
      <summary>
        {count === 1 ? '1 posting' : `${count} postings`}
        <VisuallyHidden> behind {row}</VisuallyHidden>
      </summary>
      <ul>
        {postings.map((posting, place) => (
          // Two of one order can be of one moment.
          <li key={place}>
            <strong>{titles[posting.kind]}</strong>, {formatDate(posting.at, { timeZone, style: 'day' })}, order{' '}
            {posting.order}
            <dl>
              {linesOf(posting).map(({ title, amountMinor, currencyId }) => (
                <div key={`${title} ${currencyId} ${amountMinor}`}>
                  <dt>{title}</dt>
                  <dd>{formatAmount(amountMinor, currencyId)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
      {more > 0 && <p>The file below lists the other {more}.</p>}
    </details>
  );
}
