'use client';

import { useState } from 'react';
import { amountsInWords } from '@/lib/amounts';
import { routes } from '@/lib/routes';
import { useForm } from '../ui/use-form';
import { Attempt } from '../state/attempt';
import { Field } from '../ui/field';
import { TwoStepForm } from '../ui/two-step-form';
import { endedMemberships } from './ended-memberships';

type OwnerAbandonProps = {
  portfolio: { reference: string; name: string; premiumMembers: number };
  /** The name of the portfolio that is current afterwards, null when none is left. */
  nextName: string | null;
  /** What was earned here and not paid out yet. */
  unpaid: readonly { currencyId: number; amountMinor: number }[];
};

/** Spec §4: abandons a portfolio in two steps: what it means, then its name typed. */
export function OwnerAbandon({ portfolio: { reference, name, premiumMembers }, nextName, unpaid }: OwnerAbandonProps) {
  const [wrongName, setWrongName] = useState<string | null>(null);
  const [attempt] = useState(() => new Attempt());
  const { form, problem, isSending, isAlive } = useForm(async (text) => {
    const isNamed = text('abandonedName').trim() === name;
    setWrongName(isNamed ? null : `This is not the name. Type: ${name}`);
    if (!isNamed) return;
    const [{ api }, { reloadUser }, { choosePortfolio }, { goOn }] = await Promise.all([
      import('../state/api'),
      import('../state/session'),
      import('../state/viewer'),
      import('../state/go-on'),
    ]);
    const { next } = await api('POST /user/portfolio/{reference}/abandon', {
      params: { reference },
      idempotencyKey: attempt.keyFor(reference),
    });
    await choosePortfolio(next);
    await reloadUser();
    goOn(routes.dashboard('services', { abandoned: reference }));
  });

  return (
    <TwoStepForm
      meaning="Its page, its tips and its record stay, and say that it is closed. Nothing new is published in it, and it can never be opened again."
      words={{
        begin: 'Close this portfolio',
        confirm: 'Close for good',
        sending: 'Closing…',
        leave: 'Keep the portfolio',
      }}
      question={
        <>
          {nextName ? `${nextName} will be your current portfolio.` : 'You have no other portfolio.'}
          {premiumMembers > 0 && ` ${endedMemberships(premiumMembers)}`}
          {unpaid.length > 0 &&
            ` ${amountsInWords(unpaid)} that you earned here is not paid out yet. What is left of it after refunds stays yours: request its payout under My portfolios in your dashboard.`}
        </>
      }
      form={form}
      message={problem.message}
      isSending={isSending}
      isReady={isAlive}
    >
      <Field
        name="abandonedName"
        label={`Type its name to close it: ${name}`}
        autoComplete="off"
        required
        data-missing="Type the name of the portfolio."
        error={wrongName ?? problem.fields.abandonedName}
      />
    </TwoStepForm>
  );
}
