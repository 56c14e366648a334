import type { EarningBalance } from '@/lib/memberships/schema';
import type { OwnPayout } from '@/lib/money/schema';
import { routes } from '@/lib/routes';
import { CsvDownload } from '../account/csv-download';
import { SectionHeading } from '../ui/section-heading';
import { SiteLink } from '../ui/site-link';
import styles from './closed-earnings.module.scss';
import { PayoutPart } from './payout-part';

type ClosedEarningsProps = {
  closed: readonly {
    reference: string;
    name: string;
    balances: readonly EarningBalance[];
    payouts: readonly OwnPayout[];
  }[];
  /** False while the provider cannot pay the owner. */
  canAsk: boolean;
  timeZone: string;
};

/** What an owner earned with portfolios that are closed, whose own pages are gone: each with its figures, its payouts, the way to request one, and the file of its postings. */
export function ClosedEarnings({ closed, canAsk, timeZone }: ClosedEarningsProps) {
  if (closed.length === 0) return null;
  return (
    <section aria-labelledby="closed" className={styles.closed}>
      <SectionHeading id="closed">Earnings of closed portfolios</SectionHeading>
      {closed.map(({ reference, name, balances, payouts }) => (
        <section key={reference} aria-labelledby={`closed-${reference}`} className={styles.one}>
          <SectionHeading level={3} id={`closed-${reference}`}>
            <SiteLink href={routes.portfolio(reference)}>{name}</SiteLink>
          </SectionHeading>
          <PayoutPart portfolio={reference} balances={balances} payouts={payouts} canAsk={canAsk} timeZone={timeZone} />
          <div>
            <CsvDownload
              call="GET /user/portfolio/{reference}/earnings/export"
              place={{ params: { reference } }}
              file={`earnings-${reference}.csv`}
            />
          </div>
        </section>
      ))}
    </section>
  );
}
