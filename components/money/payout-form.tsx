'use client';

import { useState } from 'react';
import { formatAmount } from '@/lib/amounts';
import { payoutBoundsIn } from '@/lib/money/rules';
import type { MoneyCurrencyId, RequestedPayout } from '@/lib/money/schema';
import { FormStack } from '../ui/form-stack';
import { useForm } from '../ui/use-form';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';

type PayoutFormProps = { portfolio: string | null; currencyId: MoneyCurrencyId; payableMinor: number };

/** Asks for what is payable in a currency, of a portfolio or, where none is named, of an affiliate; says from when on while it is too little. */
export function PayoutForm({ portfolio, currencyId, payableMinor }: PayoutFormProps) {
  const [attempt] = useState(() => new Attempt());
  const [asked, setAsked] = useState<RequestedPayout | null>(null);
  const { form, problem, isSending, isAlive } = useForm(async () => {
    const { api } = await import('../state/api');
    const body = { currencyId };
    const idempotencyKey = attempt.keyFor([body, payableMinor]);
    const answer =
      portfolio === null
        ? await api('POST /user/affiliate/payout', { body, idempotencyKey })
        : await api('POST /user/portfolio/{reference}/payout', {
            params: { reference: portfolio },
            body,
            idempotencyKey,
          });
    setAsked(answer);
  });
  const { least, mostWithoutStaff } = payoutBoundsIn(currencyId);
  if (payableMinor < least)
    return (
      <p>
        {formatAmount(payableMinor, currencyId)} is payable so far. Payouts start at {formatAmount(least, currencyId)}.
      </p>
    );
  if (asked !== null) return <FormMessage kind="success">{said(asked, { currencyId, payableMinor })}</FormMessage>;
  return (
    <FormStack {...form}>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <div>
        <Button type="submit" look="secondary" disabled={isSending || !isAlive}>
          Pay out {formatAmount(payableMinor, currencyId)}
        </Button>
      </div>
      {payableMinor > mostWithoutStaff && (
        <p>Staff check payouts above {formatAmount(mostWithoutStaff, currencyId)} before they are paid.</p>
      )}
    </FormStack>
  );
}

function said(
  { amountMinor, status }: RequestedPayout,
  { currencyId, payableMinor }: Pick<PayoutFormProps, 'currencyId' | 'payableMinor'>,
): string {
  const amount = formatAmount(amountMinor, currencyId);
  const rest = formatAmount(payableMinor - amountMinor, currencyId);
  const isLess = amountMinor < payableMinor;
  if (status === 'found')
    return `We had already sent you ${amount}, which was missing from this page.${isLess ? ` Reload the page to request the other ${rest}.` : ''}`;
  const sent =
    status === 'asked'
      ? `You have requested ${amount}. Staff check it first, as it is above ${formatAmount(payoutBoundsIn(currencyId).mostWithoutStaff, currencyId)}.`
      : `${amount} is on its way.`;
  return `${sent}${isLess ? ` The other ${rest} covers what refunds or chargebacks took from your other earnings.` : ''}`;
}
