'use client';

import { useState } from 'react';
import { formatAmount } from '@/lib/amounts';
import type { SandboxOutcome, SandboxPayment } from '@/lib/money/schema';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { useAlive } from '../ui/use-alive';
import styles from './sandbox-form.module.scss';

type Choice = { outcome: SandboxOutcome; title: string; what: string };

const choices: readonly Choice[] = [
  { outcome: 'pending', title: 'Pay slowly', what: 'The payment is pending for a minute, then succeeds.' },
  { outcome: 'authentication-needed', title: 'Ask my bank first', what: 'The bank has to confirm that it is you.' },
  { outcome: 'declined', title: 'Card declined', what: 'Nothing is charged.' },
  {
    outcome: 'declined-later',
    title: 'Pay, decline renewals',
    what: 'This payment succeeds; every renewal is declined.',
  },
  {
    outcome: 'chargeback-later',
    title: 'Pay, dispute later',
    what: 'It succeeds, and is disputed at the bank two days later.',
  },
  { outcome: 'cancelled', title: 'Cancel', what: 'Back without paying.' },
];

// Where nothing is to be paid a card is given, to be charged later.
const cardChoices: readonly Choice[] = [
  { outcome: 'authentication-needed', title: 'Ask my bank first', what: 'The bank has to confirm that it is you.' },
  { outcome: 'declined', title: 'Card declined', what: 'The card is not saved.' },
  { outcome: 'declined-later', title: 'Save, decline charges', what: 'The card is saved; every charge is declined.' },
  {
    outcome: 'chargeback-later',
    title: 'Save, dispute later',
    what: 'It is saved; each charge is disputed two days later.',
  },
  { outcome: 'cancelled', title: 'Cancel', what: 'Back without entering a card.' },
];

/** What the payer chooses on the page of the sandbox. */
export function SandboxForm({ payment }: { payment: SandboxPayment }) {
  const isAlive = useAlive();
  const [step, setStep] = useState(payment.step);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function choose(outcome: SandboxOutcome): Promise<void> {
    setSending(true);
    setProblem(null);
    try {
      const [{ api }, { leaveFor }] = await Promise.all([import('../state/api'), import('../state/auth-navigation')]);
      const after = await api('POST /sandbox/payments/{payment}', {
        params: { payment: payment.reference },
        body: { outcome },
      });
      if (after.step === 'authenticate') setStep('authenticate');
      else leaveFor(after.returnPath ?? '/dashboard/memberships');
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'Try again.');
    } finally {
      setSending(false);
    }
  }

  const isCard = payment.amountMinor === 0;
  const button = (outcome: SandboxOutcome, title: string, look: 'primary' | 'secondary') => (
    <Button look={look} disabled={isSending || !isAlive} onClick={() => void choose(outcome)}>
      {title}
    </Button>
  );
  return (
    <div className={styles.form}>
      {problem && <FormMessage kind="error">{problem}</FormMessage>}
      {step === 'authenticate' ? (
        <>
          <p>
            Your bank asks whether it is you who{' '}
            {isCard ? 'saves this card' : `pays ${formatAmount(payment.amountMinor, payment.currencyId)}`}.
          </p>
          <div className={styles.ways}>
            {button('confirm', 'Yes, confirm', 'primary')}
            {button('refuse', 'No, refuse', 'secondary')}
          </div>
        </>
      ) : (
        <>
          <div>
            {button(
              'success',
              isCard ? 'Save this card' : `Pay ${formatAmount(payment.amountMinor, payment.currencyId)}`,
              'primary',
            )}
          </div>
          <ul className={styles.choices}>
            {(isCard ? cardChoices : choices).map(({ outcome, title, what }) => (
              <li key={outcome}>
                {button(outcome, title, 'secondary')} <span>{what}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
