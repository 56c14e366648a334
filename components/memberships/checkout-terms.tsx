import { formatAmount } from '@/lib/amounts';
import { formatCount, formatDate } from '@/lib/format';
import { afterCoupon, firstPayments } from '@/lib/memberships/rules';
import type { Terms } from '@/lib/memberships/schema';
import styles from './checkout-terms.module.scss';
import { everyPeriod, perPeriod, promiseWords } from './words';

/** What is charged today and when next, and how to leave: read before the button is pressed. */
export function CheckoutTerms({ terms, timeZone }: { terms: Terms; timeZone: string }) {
  const {
    currencyId,
    fullMinor,
    amountMinor,
    taxMinor,
    trialDays,
    renewsAt,
    renewalMinor,
    coolingOffDays,
    period,
    coupon,
    couponPeriods,
  } = terms;
  const after = afterCoupon(couponPeriods, terms);
  const promised = promiseWords(terms, period);
  const offMinor = fullMinor - (trialDays > 0 ? renewalMinor : amountMinor);
  return (
    <>
      <p className={styles.total}>
        <strong className={styles.price}>{formatAmount(amountMinor, currencyId)}</strong> today
        {amountMinor !== fullMinor && trialDays === 0 && (
          <s className={styles.full}>{formatAmount(fullMinor, currencyId)}</s>
        )}
      </p>
      <ul className={styles.terms}>
        {taxMinor > 0 && <li>{formatAmount(taxMinor, currencyId)} of it is tax.</li>}
        {trialDays > 0 && <li>Free for {formatCount(trialDays, 'day', 'days')}.</li>}
        {coupon !== null && (
          <li>
            The coupon {coupon} takes {formatAmount(offMinor, currencyId)} off{' '}
            {couponPeriods === null ? 'every payment' : firstPayments(couponPeriods)}; without it the price is{' '}
            {formatAmount(fullMinor, currencyId)} {perPeriod[period]}.
          </li>
        )}
        <li>
          Renews on <strong>{formatDate(renewsAt, { timeZone, style: 'day' })}</strong> at{' '}
          <strong>{formatAmount(renewalMinor, currencyId)}</strong>
          {after ? (
            <>
              . After {firstPayments(after.payments)} it is{' '}
              <strong>
                {formatAmount(after.amountMinor, currencyId)} {perPeriod[period]}
              </strong>{' '}
              until you cancel.
            </>
          ) : (
            `, then ${everyPeriod[period]} until you cancel.`
          )}
        </li>
        {promised.map((words) => (
          <li key={words}>{words}</li>
        ))}
        {promised.length > 0 && (
          <li>Guarantees are checked against the record; what is due to you is refunded automatically.</li>
        )}
        <li>Cancel at any time in two clicks; you keep access until the end of the period you paid for.</li>
        <li>
          Changed your mind? Within {coolingOffDays} days of the first payment you can get a refund for the unused days
          at once, without contacting us.
        </li>
      </ul>
    </>
  );
}
