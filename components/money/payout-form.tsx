'use client';

import { useState } from 'react';
import { formatAmount } from '@/lib/amounts';
import type { MoneyCurrencyId } from '@/lib/money/schema';
import { FormStack } from '../ui/form-stack';
import { useForm } from '../ui/use-form';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';

type PayoutFormProps = { portfolio: string | null; currencyId: MoneyCurrencyId; payableMinor: number };

/** Asks for what is payable in a currency, of a portfolio or, where none is named, of an affiliate. */
export function PayoutForm({ portfolio, currencyId, payableMinor }: PayoutFormProps) {
  const [attempt] = useState(() => new Attempt());
  const [asked, setAsked] = useState<number | null>(null);
  const { form, problem, isSending, isAlive } = useForm(async () => {
    const { api } = await import('../state/api');
    const body = { currencyId };
    const idempotencyKey = attempt.keyFor([body, payableMinor]);
    const { amountMinor } =
      portfolio === null
        ? await api('POST /user/affiliate/payout', { body, idempotencyKey })
        : await api('POST /user/portfolio/{reference}/payout', {
            params: { reference: portfolio },
            body,
            idempotencyKey,
          });
    setAsked(amountMinor);
  });
  if (asked !== null)
    return (
      <FormMessage kind="success">
        {formatAmount(asked, currencyId)} is on its way. Above 1,000, staff check it first.
        {asked < payableMinor &&
          ` The other ${formatAmount(payableMinor - asked, currencyId)} covers what refunds or chargebacks took from your other earnings.`}
      </FormMessage>
    );
  return (
    <FormStack {...form}>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <div>
        <Button type="submit" look="secondary" disabled={isSending || !isAlive}>
          Pay out {formatAmount(payableMinor, currencyId)}
        </Button>
      </div>
    </FormStack>
  );
}
