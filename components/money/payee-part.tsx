import { neededWords } from '@/lib/money/rules';
import type { Payee } from '@/lib/money/schema';
import { Badge } from '../ui/badge';
import { FormMessage } from '../ui/form-message';
import { SectionHeading } from '../ui/section-heading';
import { PayeeForm } from './payee-form';
import styles from './payee-part.module.scss';

type PayeePartProps = { payee: Payee | 'unknown'; portfolio: string | null; country: string; isLinkOver: boolean };

/** Where an owner is paid out to through Stripe: how far they have come, what is still to do, and the way to do it. */
export function PayeePart({ payee, portfolio, country, isLinkOver }: PayeePartProps) {
  return (
    <section aria-labelledby="payee">
      <SectionHeading id="payee">Where you are paid</SectionHeading>
      <div className={styles.part}>
        {isLinkOver && (
          <FormMessage kind="error">
            The link to Stripe was used or has expired. Continue with the button below.
          </FormMessage>
        )}
        {payee === 'unknown' ? (
          <p>
            Stripe does not answer at the moment, so we cannot show the state of your payout account. Check again in a
            minute.
          </p>
        ) : (
          <State payee={payee} portfolio={portfolio} country={country} />
        )}
      </div>
    </section>
  );
}

function State({ payee, portfolio, country }: { payee: Payee; portfolio: string | null; country: string }) {
  const { known, isLost, transfers, payouts, needed } = payee;
  if (!known)
    return (
      <>
        <p>
          We pay out through Stripe. It opens an account for you in {country}, the country of your settings, and asks
          you who you are and where your bank is; it tells us neither.
        </p>
        <PayeeForm portfolio={portfolio} words="Set up payouts at Stripe" look="primary" />
      </>
    );
  if (isLost)
    return (
      <p>
        We cannot reach your payout account at Stripe any longer. Write to us through the contact page: we will set it
        up with you again.
      </p>
    );
  const isReady = transfers && payouts && needed.length === 0;
  return (
    <>
      <p className={styles.state}>
        {isReady ? <Badge tone="plain">Ready</Badge> : <Badge tone="notice">Not finished</Badge>}
        <span>
          {transfers
            ? 'Your account at Stripe takes our transfers'
            : 'Your account at Stripe cannot take our transfers yet, so a payout would be refused'}
          {transfers &&
            (payouts ? ', and Stripe pays them on to your bank' : '; Stripe holds them until it can pay your bank')}
          .
        </span>
      </p>
      {needed.length > 0 && (
        <>
          <p>Stripe still needs:</p>
          <ul>
            {neededWords(needed).map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </>
      )}
      {!transfers && needed.length === 0 && <p>Stripe is reviewing your details. Check again later.</p>}
      {!isReady && (
        <PayeeForm portfolio={portfolio} words="Continue at Stripe" look={transfers ? 'secondary' : 'primary'} />
      )}
    </>
  );
}
